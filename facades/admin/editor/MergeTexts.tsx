import { liquid } from '@codemirror/lang-liquid'
import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { reading, writing } from './setup.ts'

interface MergeTextsProps {
  theirs: string
  mine: string
  /** Hears the right text after each change. */
  onChange: (text: string) => void
}

/** Milliseconds after which the finer comparison of two texts gives up. */
const PATIENCE = 500

/** Two texts side by side. Theirs can be read; mine can be written, and takes single changes of theirs. */
const MergeTexts = ({ theirs, mine, onChange }: MergeTextsProps) => {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(onChange)
  latest.current = onChange

  // biome-ignore lint/correctness/useExhaustiveDependencies: mine is what one begins with; after that the editor has it
  useEffect(() => {
    const view = new MergeView({
      parent: host.current!,
      a: {
        doc: theirs,
        extensions: [
          reading,
          liquid(),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': 'Their text', 'aria-readonly': 'true' }),
        ],
      },
      b: {
        doc: mine,
        extensions: [
          reading,
          writing,
          liquid(),
          EditorView.contentAttributes.of({ 'aria-label': 'Your text' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current(state.doc.toString())
          }),
        ],
      },
      revertControls: 'a-to-b',
      renderRevertControl: () => {
        const button = document.createElement('button')
        button.type = 'button'
        button.textContent = '→'
        button.title = 'Take this change of theirs'
        button.setAttribute('aria-label', 'Take this change of theirs')
        return button
      },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { scanLimit: 2000, timeout: PATIENCE },
    })
    return () => view.destroy()
  }, [theirs])

  return <div ref={host} />
}

export default MergeTexts
