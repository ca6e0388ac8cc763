import type { LinkHint, RemovedMarkup, TemplateHint } from '../../routers/core/renderer.ts'

/** A hint, with the page or part that contains it if several are reviewed together. */
type Hint = Pick<TemplateHint, 'message' | 'nearest'> & {
  line: number | null
  column: number | null
  where?: { body: 'page' | 'part'; name: string }
}

/** A hint as sentences, without its position. */
export const hintSentence = ({ message, nearest }: Pick<Hint, 'message' | 'nearest'>): string =>
  nearest === null ? message : `${message} Did you mean “${nearest}”?`

/** A hint about a link, with how often it occurs. */
export const linkSentence = (link: LinkHint): string =>
  link.count === 1 ? hintSentence(link) : `${hintSentence(link)} (${link.count} times)`

/** The position of a finding in a page or part, such as `Part nav, line 2, column 5`. */
export const positionText = ({ where, line, column }: Pick<Hint, 'where' | 'line' | 'column'>): string => {
  const body = where ? [where.body === 'part' ? `Part ${where.name}` : 'Page'] : []
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
  removed?: readonly RemovedMarkup[]
}): string[] => [
  ...hints.map(hint => {
    const position = positionText(hint)
    return position ? `${position}: ${hintSentence(hint)}` : hintSentence(hint)
  }),
  ...removed.map(removal => `Removed when shown: ${removalText(removal)}. ${removal.message}`),
  ...links.map(linkSentence),
]
