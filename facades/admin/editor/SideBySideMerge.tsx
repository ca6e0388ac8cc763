import { MergeView } from '@codemirror/merge'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { DIFF_CONFIG, languageExtension, readOnly, type Side } from './comparison-extensions.ts'
import { baseExtensions, editingExtensions } from './extensions.ts'

interface SideBySideMergeProps {
  theirs: Side
  mine: Side
  /** Whether my text is read-only too. */
  isReadOnly: boolean
  /** Called with my text after each change. */
  onChange: (text: string) => void
}

/** Two texts side by side: theirs is read-only; mine can be edited and can accept single changes from theirs. */
const SideBySideMerge = ({ theirs, mine, isReadOnly, onChange }: SideBySideMergeProps) => {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(onChange)
  latest.current = onChange

  // biome-ignore lint/correctness/useExhaustiveDependencies: `mine` is only the initial text; after that the editor owns it
  useEffect(() => {
    const view = new MergeView({
      parent: host.current!,
      a: {
        doc: theirs.text,
        extensions: [
          baseExtensions,
          languageExtension(theirs),
          readOnly,
          EditorView.contentAttributes.of({ 'aria-label': theirs.name }),
        ],
      },
      b: {
        doc: mine.text,
        extensions: [
          baseExtensions,
          languageExtension(mine),
          isReadOnly ? readOnly : editingExtensions,
          EditorView.contentAttributes.of({ 'aria-label': mine.name }),
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
        button.title = 'Accept this change'
        button.setAttribute('aria-label', 'Accept this change')
        return button
      },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: DIFF_CONFIG,
    })
    return () => view.destroy()
  }, [theirs.text])

  return <div ref={host} />
}

export default SideBySideMerge
