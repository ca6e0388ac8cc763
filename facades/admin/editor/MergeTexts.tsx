import { MergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Side } from './Conflict.tsx'
import { languageOf } from './languages.ts'
import { reading, writing } from './setup.ts'

interface MergeTextsProps {
  theirs: Side
  mine: Side
  /** Whether mine can only be read too. */
  isReadOnly: boolean
  /** Hears the right text after each change. */
  onChange: (text: string) => void
}

/** Milliseconds after which the finer comparison of two texts gives up. */
const PATIENCE = 500

const coloured = ({ language }: Side): Extension => (language ? languageOf(language, () => undefined) : [])

const readOnly = [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ 'aria-readonly': 'true' })]

/** Two texts side by side. Theirs can be read; mine can be written, and takes single changes of theirs. */
const MergeTexts = ({ theirs, mine, isReadOnly, onChange }: MergeTextsProps) => {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(onChange)
  latest.current = onChange

  // biome-ignore lint/correctness/useExhaustiveDependencies: mine is what one begins with; after that the editor has it
  useEffect(() => {
    const view = new MergeView({
      parent: host.current!,
      a: {
        doc: theirs.text,
        extensions: [
          reading,
          coloured(theirs),
          readOnly,
          EditorView.contentAttributes.of({ 'aria-label': `${theirs.name}, text` }),
        ],
      },
      b: {
        doc: mine.text,
        extensions: [
          reading,
          coloured(mine),
          isReadOnly ? readOnly : writing,
          EditorView.contentAttributes.of({ 'aria-label': `${mine.name}, text` }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current(state.doc.toString())
          }),
        ],
      },
      ...(isReadOnly ? {} : { revertControls: 'a-to-b' }),
      renderRevertControl: () => {
        const button = document.createElement('button')
        button.type = 'button'
        button.textContent = '→'
        button.title = 'Take this change'
        button.setAttribute('aria-label', 'Take this change')
        return button
      },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { scanLimit: 2000, timeout: PATIENCE },
    })
    return () => view.destroy()
  }, [theirs.text])

  return <div ref={host} />
}

export default MergeTexts
