import { findOpen, type OpenBody, type WrittenBody } from '../editor/open-bodies.ts'
import { decodeReference } from './decode-reference.ts'
import { type RecordPath, recordText } from './record-text.ts'
import { textOf } from './source-text.ts'
import type { PageMarks, PreviewDocument } from './use-preview.ts'
import type { MarkedElement } from './use-selection.ts'

/** A range in a body of a document. */
export interface SourceRange {
  body: number
  begin: number
  end: number
}

/** Where a text is written that can be edited in place. */
export type TextPlace = { source: SourceRange } | { record: RecordPath }

/** A text or value in an element, as the selection lists it. */
export interface ListedContent {
  /** The text in quotes, the place in a record, or the tag. */
  label: string
  record: RecordPath | null
  /** The tag that prints a value that does not come from a record, if it is in an open body. */
  tag: { body: WrittenBody; begin: number; end: number } | null
  /** Undefined if it can only be edited where it is written. */
  place: TextPlace | undefined
}

/** Maximum number of characters of a text that are listed. */
const LISTED = 40

const excerpt = (text: string) => {
  const line = text.replace(/\s+/g, ' ')
  return `“${line.length > LISTED ? `${line.slice(0, LISTED)}…` : line}”`
}

/** The texts and values in an element, each once. */
export const contentsOf = (
  { contents }: MarkedElement,
  document: PreviewDocument,
  bodies: readonly OpenBody[],
): ListedContent[] => {
  const listed = new Map<string, ListedContent>()
  for (const { record, isLiteral, isUnchanged, ...range } of contents) {
    const { body: index, begin, end } = range
    const source = { body: index, begin, end }
    const body = findOpen(bodies, document, index)
    const written = body?.text.slice(begin, end)
    if (isLiteral) {
      if (written !== undefined)
        listed.set(`${index} ${begin}`, {
          label: excerpt(textOf(written, decodeReference)),
          record: null,
          tag: null,
          place: { source },
        })
      continue
    }
    const label = record ? recordText(record) : (written ?? tagIn(document.marks!.bodies[index]!))
    const place = record && isUnchanged ? { record } : listed.get(label)?.place
    listed.set(label, { label, record, tag: body && !record ? { body, begin, end } : null, place })
  }
  return [...listed.values()]
}

const tagIn = ({ body, name }: PageMarks['bodies'][number]) => `a tag in the ${body} ${name}`

/** Where the text of an element is written, if one literal text or value is all that can be edited in it. */
export const onlyText = (
  element: MarkedElement,
  document: PreviewDocument,
  bodies: readonly OpenBody[],
): TextPlace | undefined => {
  const whole = element.contents.filter(({ isWholeText }) => isWholeText)
  const inText = whole.length > 0 ? whole : element.contents.filter(({ isInTag }) => !isInTag)
  const places = contentsOf({ ...element, contents: inText }, document, bodies).map(({ place }) => place)
  return places.length === 1 ? places[0] : undefined
}
