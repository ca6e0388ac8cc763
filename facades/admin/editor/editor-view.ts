import { useLocalStorage } from '@mantine/hooks'

/** What an editor shows: the page alone, which can be edited there, or the code with a preview. */
export type EditorView = 'page' | 'code'

const keyOf = (subdomain: string) => `space-site-editor-view-${subdomain}`

/** The view of the editors of a space, which this browser remembers. */
export const useEditorView = (subdomain: string) =>
  useLocalStorage<EditorView>({
    key: keyOf(subdomain),
    defaultValue: 'code',
    getInitialValueInEffect: false,
    // Another window must not hide the editor in which someone types in this one.
    sync: false,
  })

/** Chooses the view of the editors of a space before one is opened. */
export const rememberEditorView = (subdomain: string, view: EditorView): void => {
  try {
    localStorage.setItem(keyOf(subdomain), JSON.stringify(view))
  } catch {
    // The browser stores nothing; the editors open with the code.
  }
}
