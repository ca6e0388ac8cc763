import { useCallback, useRef, useState } from 'react'
import type { TrackedMark } from './DraftFrame.tsx'
import type { MarkMessage, Rect } from './mark-message.ts'
import type { PreviewDocument } from './use-preview.ts'

export type MarkedElement = NonNullable<PreviewDocument['marks']>['elements'][number]

/** A place in the draft that is shown. */
export interface MarkedPlace {
  document: PreviewDocument
  /** Null for an element that a script has made. */
  mark: number | null
  /** Null until the frame has reported it. */
  rect: Rect | null
}

/** What the preview needs from the editor of the body. */
export interface SourceEditor {
  /** Selects the source of an element, if it is open. */
  select: (document: PreviewDocument, element: MarkedElement) => void
  /** Whether the source of an element is in an open body. */
  isOpen: (document: PreviewDocument, element: MarkedElement) => boolean
  /** The number of the element in which the cursor is; null if there is none, or while the editor lacks the focus. */
  markAtCursor: (document: PreviewDocument) => number | null
  /** The number that a mark of an earlier draft has in a later one; null if its element is gone. */
  markIn: (later: PreviewDocument, earlier: PreviewDocument, mark: number) => number | null
}

/**
 * What is outlined in a preview: the element that the person points at, the selected one, and the one at the cursor of
 * the editor.
 */
export const useSelection = (source: SourceEditor | undefined) => {
  const [pointed, setPointed] = useState<MarkedPlace | null>(null)
  const [selected, setSelected] = useState<MarkedPlace | null>(null)
  const [atCursor, setAtCursor] = useState<MarkedPlace | null>(null)
  const [tracked, setTracked] = useState<TrackedMark | null>(null)
  const shown = useRef<PreviewDocument | null>(null)
  const followed = useRef<{ name: string; record: string } | null>(null)
  const latest = useRef({ source, selected })
  latest.current = { source, selected }

  /** Selects a place at once for what follows before the next rendering, such as that another draft is shown. */
  const choose = useCallback((place: MarkedPlace | null) => {
    latest.current.selected = place
    setSelected(place)
  }, [])

  const close = useCallback(() => {
    choose(null)
    setTracked(null)
  }, [choose])

  const select = useCallback(
    (seen: PreviewDocument, seenMark: number | null, seenRect: Rect | null = null) => {
      const { source } = latest.current
      // By now, a later draft may be shown than the one in which the person has chosen the element.
      const document = shown.current ?? seen
      const isLatest = document === seen
      const mark = isLatest || seenMark === null ? seenMark : source?.markIn(document, seen, seenMark)
      if (mark === undefined || (mark === null && seenMark !== null)) return close()
      const rect = isLatest ? seenRect : null
      choose({ document, mark, rect })
      setAtCursor(null)
      setTracked(mark === null ? null : { mark, reveal: rect === null })
      const element = mark === null ? undefined : document.marks?.elements[mark]
      if (element) source?.select(document, element)
    },
    [choose, close],
  )

  const onMark = useCallback(
    ({ on, mark, rect }: MarkMessage, document: PreviewDocument) => {
      if (on === 'point') setPointed(rect && { document, mark, rect })
      else if (on === 'pick') {
        if (rect) select(document, mark, rect)
        else close()
      } else {
        const moved = (place: MarkedPlace | null) =>
          place?.document === document && place.mark === mark ? { ...place, rect } : place
        setSelected(moved)
        setAtCursor(moved)
      }
    },
    [select, close],
  )

  /** Outlines the element in which the cursor of the editor is. */
  const followCursor = useCallback(
    (reveal: boolean) => {
      const { current: document } = shown
      const mark = document && (latest.current.source?.markAtCursor(document) ?? null)
      setAtCursor(document && mark !== null ? { document, mark, rect: null } : null)
      if (mark === null) return
      choose(null)
      setTracked({ mark, reveal })
    },
    [choose],
  )

  /** In the next draft that is shown, selects the element like this one whose value comes from a place in a record. */
  const follow = useCallback(({ document, mark }: MarkedPlace, record: readonly (string | number)[]) => {
    const { name = '' } = (mark === null ? undefined : document.marks?.elements[mark]) ?? {}
    followed.current = { name, record: JSON.stringify(record) }
  }, [])

  /** Called when another draft is shown: marks are numbered anew. */
  const onShown = useCallback(
    (document: PreviewDocument) => {
      shown.current = document
      setPointed(null)
      const { selected, source } = latest.current
      if (!selected) return followCursor(false)
      const { current: moved } = followed
      followed.current = null
      const markMoved = moved
        ? document.marks?.elements.findIndex(
            ({ name, contents }) =>
              name === moved.name && contents.some(({ record }) => JSON.stringify(record) === moved.record),
          )
        : -1
      const mark =
        markMoved !== undefined && markMoved !== -1
          ? markMoved
          : selected.mark === null
            ? null
            : source?.markIn(document, selected.document, selected.mark)
      if (mark == null) return close()
      const before = selected.mark === null ? undefined : selected.document.marks?.elements[selected.mark]
      const element = document.marks?.elements[mark]
      // The body of a selected element was opened in the meantime.
      if (
        before &&
        element &&
        !source?.isOpen(selected.document, before) &&
        source?.isOpen(document, element)
      )
        source.select(document, element)
      choose({ ...selected, document, mark })
      setTracked({ mark, reveal: false })
    },
    [followCursor, close, choose],
  )

  /** Selects the element at the cursor, or the first one, for people who don't point. */
  const start = (document: PreviewDocument) => select(document, atCursor?.mark ?? 0)

  return { pointed, selected, atCursor, tracked, select, start, close, follow, onMark, followCursor, onShown }
}

export type Selection = ReturnType<typeof useSelection>
