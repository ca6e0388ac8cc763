import { mergeFields } from '../../shared/merge-fields.ts'
import { ConflictView } from '../editor/ConflictView.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { FORMATS, type Saved, type Values } from './post-values.ts'

interface PostConflictProps {
  /** The version that both sides started from. */
  base: Values
  /** The post as it was saved elsewhere. */
  theirs: Saved
  mine: Values
  isSaving: boolean
  onPostpone: () => void
  onAcceptTheirs: () => void
  /** Called with the values to save in place of `theirs`. */
  onSave: (values: Values) => void
}

const LANGUAGES = { markdown: 'markdown', html: 'html', reblog: undefined } as const
const LABELS = { url: 'Link', tags: 'Tags' }

const AS_TEXT = {
  url: ({ url }: Values) => url || 'none',
  tags: ({ tags }: Values) => tags.map(tag => `#${tag}`).join(' ') || 'none',
}

/** Returns a post's whole content, to compare it with a version in another format. */
const wholeContent = (values: Values) => ({
  text:
    values.format === 'reblog'
      ? [values.url, values.text].filter(Boolean).join('\n\n')
      : values[TEXT_OF[values.format]],
  language: LANGUAGES[values.format],
  format: FORMATS[values.format].label,
})

/**
 * The plain text of a rendered Markdown post. Parses only the body, because styles in the head would violate the
 * dashboard's Content-Security-Policy even though nothing is shown.
 */
const plainTextOf = (document: string): string =>
  new DOMParser()
    .parseFromString(document.slice(document.indexOf('<body>')), 'text/html')
    .body.textContent.trim()

/** Asks which version of a post to keep after it was changed in two places. */
export const PostConflict = ({ base, theirs, mine, onSave, ...rest }: PostConflictProps) => {
  const isMergeable = theirs.document === null && theirs.values.format === mine.format
  const { values, conflicts } = mergeValues(base, mine, theirs.values, isMergeable)
  const name = TEXT_OF[mine.format]
  const mainText = (of: Values) => ({ text: of[name], language: LANGUAGES[mine.format] })
  const saved = isMergeable
    ? mainText(theirs.values)
    : theirs.document === null
      ? wholeContent(theirs.values)
      : { text: plainTextOf(theirs.document), language: undefined, format: 'as readers see it' }
  return (
    <ConflictView
      {...rest}
      title="This post was changed elsewhere"
      isMergeable={isMergeable}
      theirs={{ name: 'Saved version', ...saved }}
      mine={{ name: 'Your version', ...(isMergeable ? mainText(values) : wholeContent(mine)) }}
      fieldConflicts={conflicts
        // The tags of a published post cannot change.
        .filter(field => field !== 'tags' || theirs.publishedAt === null)
        .map(field => ({
          name: field,
          label: LABELS[field],
          theirs: AS_TEXT[field](theirs.values),
          mine: AS_TEXT[field](mine),
        }))}
      onSave={(text, fromTheirs) =>
        onSave({
          ...values,
          ...(isMergeable ? { [name]: text } : {}),
          ...(fromTheirs.has('url') ? { url: theirs.values.url } : {}),
          ...(fromTheirs.has('tags') || theirs.publishedAt !== null ? { tags: theirs.values.tags } : {}),
        })
      }
    >
      It was saved <RelativeTime at={theirs.updatedAt} /> in another window or with a token, after you opened
      it here.{' '}
      {theirs.document !== null
        ? 'The Markdown source of that version was not kept, because it was saved through the API. You can keep either version as a whole.'
        : !isMergeable &&
          'The two versions are in different formats. You can keep either one as a whole.'}{' '}
      {theirs.publishedAt !== null && 'The post is published, so readers see what you save immediately.'}
    </ConflictView>
  )
}

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
