import { useRef } from 'react'
import type { PreviewDocument } from '../preview/use-preview.ts'
import type { MarkedElement, SourceEditor } from '../preview/use-selection.ts'
import { type Body, findOpen, type OpenBody } from './open-bodies.ts'
import { currentRange, toLineFeeds } from './written-place.ts'

/** The number of the innermost element of a body that is written around an offset; null if there is none. */
const markAt = (
  { marks }: PreviewDocument,
  written: string,
  isIn: (body: number) => boolean,
  offset: number,
): number | null => {
  const convert = toLineFeeds(written)
  let found: number | null = null
  let from = -1
  for (const [mark, { body, begin, end }] of marks!.elements.entries()) {
    if (begin <= from || convert(begin) > offset || offset > convert(end) || !isIn(body)) continue
    found = mark
    from = begin
  }
  return found
}

/** Opens the source of an element that is selected in the preview. */
export interface SourceOpener {
  /** Shows the code of an open body rather than that of another one. */
  show: (body: OpenBody) => void
  /** Opens a body that is not open, if it can be opened beside the others. */
  open: (body: Body) => void
}

/**
 * Connects the preview with the editors of open bodies: selects the source of an element, and finds the element at the
 * cursor.
 */
export const useSourceEditor = (bodies: readonly OpenBody[], opener: SourceOpener) => {
  // Selecting moves the cursor, but the selected element stays the one that the person chose.
  const isSelecting = useRef(false)
  const source: SourceEditor = {
    select: (document: PreviewDocument, { body, begin, end, tagEnd }: MarkedElement) => {
      const open = findOpen(bodies, document, body)
      if (!open) return opener.open(document.marks!.bodies[body]!)
      opener.show(open)
      isSelecting.current = true
      open.editor.current?.select(open.text, { begin, end: Math.min(tagEnd, end) })
      isSelecting.current = false
    },
    isOpen: (document, { body }) => findOpen(bodies, document, body) !== undefined,
    markAtCursor: document => {
      for (const [body] of document.marks?.bodies.entries() ?? []) {
        const open = findOpen(bodies, document, body)
        const cursor = open?.editor.current?.cursor()
        if (!open || !cursor) continue
        // The place in the text that was evaluated.
        const before = open.text.replace(/\r\n?/g, '\n')
        const place = currentRange(cursor.text, before, { begin: cursor.at, end: cursor.at })
        return place ? markAt(document, open.text, index => index === body, place.begin) : null
      }
      return null
    },
    markIn: (later, earlier, mark) => {
      const { name, body, begin } = earlier.marks!.elements[mark]!
      const named = earlier.marks!.bodies[body]!
      const { bodies: laterBodies, elements } = later.marks ?? { bodies: [], elements: [] }
      const there = laterBodies.findIndex(one => one.body === named.body && one.name === named.name)
      const before = findOpen(bodies, earlier, body)
      const after = findOpen(bodies, later, there)
      // While a body is not open, it is edited nowhere else.
      const moved =
        before && after
          ? currentRange(before.text, after.text.replace(/\r\n?/g, '\n'), { begin, end: begin + 1 })?.begin
          : begin
      const convert = before && after ? toLineFeeds(after.text) : (offset: number) => offset
      const isSame = (element: MarkedElement | undefined) =>
        element?.name === name && element.body === there && convert(element.begin) === moved
      if (isSame(elements[mark])) return mark
      const found = elements.findIndex(isSame)
      return found === -1 ? null : found
    },
  }
  return { source, isSelecting }
}
