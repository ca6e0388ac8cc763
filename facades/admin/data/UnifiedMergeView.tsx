import { json } from '@codemirror/lang-json'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { mergeTheme } from '../editor/comparison-extensions.ts'
import { baseExtensions, editingExtensions } from '../editor/extensions.ts'

/** Button that accepts or rejects one difference. */
const mergeButton = (type: 'reject' | 'accept', act: (event: MouseEvent) => void): HTMLElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'cm-merge-choice'
  button.textContent = type === 'reject' ? 'Use theirs' : 'Keep mine'
  // Act on click, which also works with the keyboard. CodeMirror's default is mousedown, which would start a selection.
  button.addEventListener('mousedown', event => event.preventDefault())
  button.addEventListener('click', event => {
    // A click resolves the difference and removes the button, so move the focus to the text.
    const text = button.closest('.cm-editor')?.querySelector<HTMLElement>('.cm-content')
    act(event)
    text?.focus()
  })
  return button
}

/** The CodeMirror editor with both texts. */
const UnifiedMergeView = (props: UnifiedMergeProps & { describedBy: string }) => {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const { mine, theirs, label, describedBy } = latest.current
    const view = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: mine,
        extensions: [
          baseExtensions,
          editingExtensions,
          json(),
          unifiedMergeView({
            original: theirs,
            mergeControls: mergeButton,
            syntaxHighlightDeletions: true,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
          mergeTheme,
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-describedby': describedBy,
            spellcheck: 'false',
            tabindex: '0',
          }),
          EditorView.updateListener.of(update => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    return () => view.destroy()
  }, [])
  return <div ref={host} />
}

export default UnifiedMergeView

export interface UnifiedMergeProps {
  /** The text that someone else saved. When it changes, the editor starts over. */
  theirs: string
  /** My text when the conflict was found. */
  mine: string
  /** Called with my text after each change. */
  onChange: (mine: string) => void
  label: string
}
