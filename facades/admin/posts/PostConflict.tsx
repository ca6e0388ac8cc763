import { Conflict } from '../editor/Conflict.tsx'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { FORMATS } from './formats.ts'
import { mergeValues, TEXT_OF } from './merge-values.ts'
import type { Saved, Values } from './post-values.ts'

interface PostConflictProps {
  /** What both began with. */
  base: Values
  /** The post as somebody else has saved it. */
  theirs: Saved
  mine: Values
  isSaving: boolean
  onPutOff: () => void
  onTakeTheirs: () => void
  /** Hears the values that are to be saved on top of theirs. */
  onSave: (values: Values) => void
}

const LANGUAGES = { markdown: 'markdown', html: 'html', reblog: undefined } as const
const LABELS = { url: 'Address', tags: 'Tags' }

const IN_WORDS = {
  url: ({ url }: Values) => url || 'none',
  tags: ({ tags }: Values) => tags.map(tag => `#${tag}`).join(' ') || 'none',
}

/** Everything that a post says, to be read beside what it says in another format. */
const wholeOf = (values: Values) => ({
  text:
    values.format === 'reblog'
      ? [values.url, values.text].filter(Boolean).join('\n\n')
      : values[TEXT_OF[values.format]],
  language: LANGUAGES[values.format],
  format: FORMATS[values.format].label,
})

/**
 * What the document of a Markdown post says. It is parsed for that and never shown; its head stays out, because the
 * screen's policy applies to its styles even so.
 */
const readingOf = (document: string): string =>
  new DOMParser()
    .parseFromString(document.slice(document.indexOf('<body>')), 'text/html')
    .body.textContent.trim()

/** Asks what is to be kept of a post that was changed in two places. */
export const PostConflict = ({ base, theirs, mine, onSave, ...rest }: PostConflictProps) => {
  const isMergeable = theirs.document === null && theirs.values.format === mine.format
  const { values, disputed } = mergeValues(base, mine, theirs.values, isMergeable)
  const name = TEXT_OF[mine.format]
  const partOf = (of: Values) => ({ text: of[name], language: LANGUAGES[mine.format] })
  const saved = isMergeable
    ? partOf(theirs.values)
    : theirs.document === null
      ? wholeOf(theirs.values)
      : { text: readingOf(theirs.document), language: undefined, format: 'as it reads' }
  return (
    <Conflict
      {...rest}
      title="This post was changed elsewhere"
      isMergeable={isMergeable}
      theirs={{ name: 'The saved one', ...saved }}
      mine={{ name: 'Yours', ...(isMergeable ? partOf(values) : wholeOf(mine)) }}
      disputes={disputed
        // A published post keeps its tags.
        .filter(field => field !== 'tags' || theirs.publishedAt === null)
        .map(field => ({
          name: field,
          label: LABELS[field],
          theirs: IN_WORDS[field](theirs.values),
          mine: IN_WORDS[field](mine),
        }))}
      onSave={(text, asTheirs) =>
        onSave({
          ...values,
          ...(isMergeable ? { [name]: text } : {}),
          ...(asTheirs.has('url') ? { url: theirs.values.url } : {}),
          ...(asTheirs.has('tags') || theirs.publishedAt !== null ? { tags: theirs.values.tags } : {}),
        })
      }
    >
      It was saved <RelativeTime at={theirs.updatedAt} /> in another window or with a token, after you had
      opened it here.{' '}
      {theirs.document !== null
        ? 'Its Markdown was not kept, because it came through the API, so one of the two is kept as a whole.'
        : !isMergeable && 'The two are in different formats, so one of them is kept as a whole.'}{' '}
      {theirs.publishedAt !== null && 'It is published: readers see at once what you save.'}
    </Conflict>
  )
}
