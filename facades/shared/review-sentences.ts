import type { LinkHint, Origin, RemovedMarkup, TemplateHint } from '../../routers/api/renderer.ts'

/** A hint, with the page or part that contains it if several are reviewed together. */
type Hint = Pick<TemplateHint, 'message' | 'nearest'> & {
  line: number | null
  column: number | null
  where?: Origin['where']
}

/** A hint as sentences, without its position. */
export const hintSentence = ({ message, nearest }: Pick<Hint, 'message' | 'nearest'>): string =>
  nearest === null ? message : `${message} Did you mean “${nearest}”?`

/** A hint about a link, with how often it occurs. */
export const linkSentence = (link: Omit<LinkHint, keyof Origin>): string =>
  link.count === 1 ? hintSentence(link) : `${hintSentence(link)} (${link.count} times)`

const NOUNS = { part: 'Part', record: 'Record' } as const

/** The position of a finding, such as `Part nav, line 2, column 5` or `Record menu[2].url`. */
export const positionText = ({ where, line, column }: Pick<Hint, 'where' | 'line' | 'column'>): string => {
  const body = where
    ? [where.body === 'page' ? 'Page' : `${NOUNS[where.body]} ${where.name}${where.path ?? ''}`]
    : []
  const parts =
    line === null ? body : [...body, `line ${line}`, ...(column === null ? [] : [`column ${column}`])]
  const text = parts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Markup that was removed from a static page, such as `onclick of <p>, 2 times`. */
export const removalText = ({ element, attribute, count }: Omit<RemovedMarkup, 'message'>): string => {
  const markup = attribute === null ? `<${element}>` : `${attribute} of <${element}>`
  return count === 1 ? markup : `${markup}, ${count} times`
}

/** What an author should know about a template or page, one string per finding: hints, removed markup, then links. */
export const reviewSentences = ({
  hints,
  links = [],
  removed = [],
}: {
  hints: readonly Hint[]
  links?: readonly LinkHint[]
  removed?: readonly (RemovedMarkup & Origin)[]
}): string[] => [
  ...hints.map(hint => located(hint, hintSentence(hint))),
  ...removed.map(removal =>
    located({ ...removal, column: null }, `Removed when shown: ${removalText(removal)}. ${removal.message}`),
  ),
  ...links.map(link => located({ ...link, column: null }, linkSentence(link))),
]

/** Puts the position before a sentence, if it is known. */
const located = (place: Parameters<typeof positionText>[0], sentence: string): string => {
  const position = positionText(place)
  return position ? `${position}: ${sentence}` : sentence
}
