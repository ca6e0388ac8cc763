import { json } from '@codemirror/lang-json'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { reading, writing } from '../editor/setup.ts'
import type { MergeEditorProps } from './MergeEditor.tsx'
import { mergeLook } from './merge-look.ts'

/** A button at one place where the texts differ. */
const control = (type: 'reject' | 'accept', act: (event: MouseEvent) => void): HTMLElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'cm-merge-choice'
  button.textContent = type === 'reject' ? 'Take theirs' : 'Keep mine'
  // The editor would take the press as the start of a selection, and keys have no press.
  button.addEventListener('mousedown', event => event.preventDefault())
  button.addEventListener('click', event => {
    // With the choice the button goes; the keyboard goes on in the text.
    const text = button.closest('.cm-editor')?.querySelector<HTMLElement>('.cm-content')
    act(event)
    text?.focus()
  })
  return button
}

/** Two texts in one editor. */
const MergeMirror = (props: MergeEditorProps & { describedBy: string }) => {
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
          reading,
          writing,
          json(),
          unifiedMergeView({
            original: theirs,
            mergeControls: control,
            syntaxHighlightDeletions: true,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
          mergeLook,
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

export default MergeMirror
