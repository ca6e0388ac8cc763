import { EditorView } from '@codemirror/view'

/** How two texts in one editor are told apart: by colour, and by lines through what is only in one of them. */
export const mergeLook = EditorView.theme({
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'rgb(63 159 105 / 14%)' },
  '&.cm-merge-b .cm-changedText, .cm-changedText': {
    background: 'rgb(63 159 105 / 28%)',
    textDecoration: 'none',
  },
  '.cm-deletedChunk': { backgroundColor: 'rgb(201 42 42 / 10%)', paddingLeft: '6px' },
  '.cm-deletedChunk .cm-deletedText': {
    background: 'rgb(201 42 42 / 18%)',
    textDecoration: 'line-through',
  },
  '.cm-deletedChunk .cm-chunkButtons': {
    insetInlineEnd: '6px',
    display: 'flex',
    gap: '6px',
    padding: '3px 0',
  },
  '.cm-merge-choice': {
    minHeight: '24px',
    padding: '0 0.5rem',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '0.8125rem',
    color: 'var(--mantine-color-text)',
    background: 'var(--mantine-color-default)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '0.25rem',
    cursor: 'pointer',
  },
  '.cm-collapsedLines': {
    padding: '0.25rem 0.5rem',
    color: 'var(--code-faint)',
    background: 'var(--code-gutter)',
  },
})
