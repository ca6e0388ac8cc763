import { type RefObject, useRef } from 'react'
import type { PageMarks, PreviewDocument } from '../preview/use-preview.ts'
import type { MarkedElement, SourceEditor } from '../preview/use-selection.ts'
import type { EditorHandle } from './code-editor-props.ts'
import { currentRange, toLineFeeds } from './written-place.ts'

type Body = PageMarks['bodies'][number]

/** The number of the innermost element of a body that is written around an offset; null if there is none. */
const markAt = (
  { marks, written = '' }: PreviewDocument,
  isHere: (body: Body) => boolean,
  offset: number,
): number | null => {
  const convert = toLineFeeds(written)
  let found: number | null = null
  let from = -1
  for (const [mark, { body, begin, end }] of marks!.elements.entries()) {
    if (begin <= from || convert(begin) > offset || offset > convert(end) || !isHere(marks!.bodies[body]!))
      continue
    found = mark
    from = begin
  }
  return found
}

/**
 * Connects the preview with the editor of a body: selects the source of an element, and finds the element at the cursor.
 *
 * @param isHere whether the editor has a body
 */
export const useSourceEditor = (editor: RefObject<EditorHandle | null>, isHere: (body: Body) => boolean) => {
  // Selecting moves the cursor, but the selected element stays the one that the person chose.
  const isSelecting = useRef(false)
  const source: SourceEditor = {
    select: ({ marks, written = '' }: PreviewDocument, { body, begin, end, tagEnd }: MarkedElement) => {
      if (!isHere(marks!.bodies[body]!)) return
      isSelecting.current = true
      editor.current?.select(written, { begin, end: Math.min(tagEnd, end) })
      isSelecting.current = false
    },
    markAtCursor: document => {
      const cursor = document.marks && editor.current?.cursor()
      if (!cursor) return null
      // The place in the text that was evaluated.
      const before = (document.written ?? '').replace(/\r\n?/g, '\n')
      const place = currentRange(cursor.text, before, { begin: cursor.at, end: cursor.at })
      return place ? markAt(document, isHere, place.begin) : null
    },
    markIn: (later, earlier, mark) => {
      const [before, after] = [earlier.marks!, later.marks]
      const { name, body, begin } = before.elements[mark]!
      const where = before.bodies[body]!
      const moved = currentRange(earlier.written ?? '', (later.written ?? '').replace(/\r\n?/g, '\n'), {
        begin,
        end: begin + 1,
      })
      const convert = toLineFeeds(later.written ?? '')
      const isSame = (element: MarkedElement | undefined) => {
        const there = element && after?.bodies[element.body]
        if (element?.name !== name || there?.body !== where.body || there.name !== where.name) return false
        return isHere(where) ? convert(element.begin) === moved?.begin : element.begin === begin
      }
      if (isSame(after?.elements[mark])) return mark
      const found = after?.elements.findIndex(isSame) ?? -1
      return found === -1 ? null : found
    },
  }
  return { source, isSelecting }
}
