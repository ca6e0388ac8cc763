import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Remembers positions in an editor's text, and shifts them when the text before them changes. */
export const createRememberedPlaces = () => {
  const places = new Set<{ at: number }>()
  const extension: Extension = EditorView.updateListener.of(({ docChanged, changes }) => {
    if (!docChanged) return
    for (const place of places) place.at = changes.mapPos(place.at, 1)
  })
  /** Remembers a place. Returns a function that inserts text there, and can be called several times. */
  const remember = (view: EditorView, at: number) => {
    const place = { at }
    places.add(place)
    return (text: string) => view.dispatch({ changes: { from: place.at, insert: text }, userEvent: 'input' })
  }
  return { extension, remember }
}
