import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { DIFF_CONFIG, languageExtension, mergeTheme, readOnly, type Side } from './comparison-extensions.ts'
import { baseExtensions } from './extensions.ts'

interface InlineComparisonProps {
  older: Side
  newer: Side
  /** Accessible name of the text. */
  label: string
}

/**
 * Shows the newer text, read-only. Text that only the older version contains is struck out, and added text is
 * underlined.
 */
const InlineComparison = ({ older, newer, label }: InlineComparisonProps) => {
  const host = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts of a comparison never change
  useEffect(() => {
    const view = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: newer.text,
        extensions: [
          baseExtensions,
          languageExtension(newer),
          readOnly,
          unifiedMergeView({
            original: older.text,
            mergeControls: false,
            syntaxHighlightDeletions: true,
            collapseUnchanged: { margin: 3, minSize: 6 },
            diffConfig: DIFF_CONFIG,
          }),
          mergeTheme,
          EditorView.contentAttributes.of({ 'aria-label': label }),
        ],
      }),
    })
    return () => view.destroy()
  }, [older.text, newer.text])
  return <div ref={host} />
}

export default InlineComparison
