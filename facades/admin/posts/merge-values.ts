import { mergeFields } from '../editor/merge-fields.ts'
import type { Values } from './post-values.ts'

/** The field with most of the words, by format. */
export const TEXT_OF = { markdown: 'markdown', html: 'html', reblog: 'text' } as const

/**
 * Puts two changes of one post together, field by field: what only one side changed is as that side has it. Of a post in
 * two formats, or one whose words were not kept, that is the tags alone; everything else is as I have it.
 *
 * @param base what both began with
 * @param isWhole whether their words can be put together with mine
 * @returns the values, with mine for what both have changed, and which besides the text that is
 */
export const mergeValues = (base: Values, mine: Values, theirs: Values, isWhole: boolean) => {
  const name = TEXT_OF[mine.format]
  const fieldsOf = (values: Values) => ({
    text: isWhole ? values[name] : '',
    url: isWhole && mine.format === 'reblog' ? values.url : '',
    tags: values.tags.join(', '),
  })
  const { fields, disputed } = mergeFields(fieldsOf(base), fieldsOf(mine), fieldsOf(theirs))
  const values: Values = {
    ...mine,
    tags: fields.tags === fieldsOf(theirs).tags ? theirs.tags : mine.tags,
  }
  if (isWhole) values[name] = fields.text
  if (isWhole && mine.format === 'reblog') values.url = fields.url
  return { values, disputed: (['url', 'tags'] as const).filter(field => disputed.includes(field)) }
}
