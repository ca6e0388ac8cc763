import { mergeFields } from '../editor/merge-fields.ts'
import type { Values } from './post-values.ts'

/** The main text field of each format. */
export const TEXT_OF = { markdown: 'markdown', html: 'html', reblog: 'text' } as const

/**
 * Merges two changes to a post field by field: a field that only one side changed gets that side's value.
 *
 * @param base the version both started from
 * @param isMergeable false if the formats differ, or if the Markdown source of `theirs` was not kept. Then only
 * the tags are merged
 * @returns `values`: the merged values; a field that both sides changed differently has the value of `mine`.
 * `conflicts`: which of `url` and `tags` both sides changed differently; never contains the main text field
 */
export const mergeValues = (base: Values, mine: Values, theirs: Values, isMergeable: boolean) => {
  const name = TEXT_OF[mine.format]
  const fieldsOf = (values: Values) => ({
    text: isMergeable ? values[name] : '',
    url: isMergeable && mine.format === 'reblog' ? values.url : '',
    tags: values.tags.join(', '),
  })
  const { fields, conflicts } = mergeFields(fieldsOf(base), fieldsOf(mine), fieldsOf(theirs))
  const values: Values = {
    ...mine,
    tags: fields.tags === fieldsOf(theirs).tags ? theirs.tags : mine.tags,
  }
  if (isMergeable) values[name] = fields.text
  if (isMergeable && mine.format === 'reblog') values.url = fields.url
  return { values, conflicts: (['url', 'tags'] as const).filter(field => conflicts.includes(field)) }
}
