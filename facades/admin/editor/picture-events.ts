import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

const picturesIn = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))

/**
 * Handles pictures that are dropped into an editor or pasted.
 *
 * @param onPictures called with the pictures and their position in the text; returns whether it accepts them
 */
export const pictureEvents = (
  onPictures: (pictures: File[], view: EditorView, at: number) => boolean,
): Extension =>
  EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => {
      const pictures = picturesIn(clipboardData)
      // Office programs also put a picture of the copied text on the clipboard. In that case, paste the text.
      if (pictures.length === 0 || clipboardData?.types.includes('text/plain')) return false
      return onPictures(pictures, view, view.state.selection.main.head)
    },
    drop: (event, view) => {
      const pictures = picturesIn(event.dataTransfer)
      if (pictures.length === 0) return false
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head
      return onPictures(pictures, view, at)
    },
  })
