import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { nonce } from '../document-nonce.ts'

/** Uses the custom properties of CodeEditor.module.css, which follow the dashboard's color scheme. */
const colors = HighlightStyle.define([
  { tag: [tags.comment, tags.processingInstruction], color: 'var(--code-comment)' },
  { tag: [tags.keyword, tags.operator, tags.brace, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.tagName, tags.heading, tags.angleBracket], color: 'var(--code-name)' },
  { tag: tags.heading, fontWeight: '650' },
  { tag: [tags.attributeName, tags.propertyName, tags.labelName], color: 'var(--code-attribute)' },
  { tag: [tags.string, tags.attributeValue, tags.regexp, tags.url], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], color: 'var(--code-number)' },
  { tag: [tags.variableName, tags.className], color: 'var(--code-variable)' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
  { tag: [tags.link, tags.monospace], color: 'var(--code-function)' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--mantine-color-error)' },
])

const theme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '0.875rem',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--code-back)',
  },
  // No outline: the border around the editor shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--mantine-color-text)' },
  '.cm-content:focus-visible': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--code-gutter)',
    color: 'var(--code-faint)',
    borderRight: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--code-line)' },
  '.cm-activeLineGutter': { color: 'var(--mantine-color-text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--code-selection)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--code-selection)', outline: '1px solid currentColor' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--code-selection)' },
  '.cm-panels': {
    backgroundColor: 'var(--code-gutter)',
    color: 'var(--mantine-color-text)',
    borderColor: 'var(--mantine-color-default-border)',
  },
  '.cm-panel.cm-search': { padding: '0.5rem', fontFamily: 'inherit' },
  '.cm-panel.cm-search label': { fontSize: '0.8125rem', whiteSpace: 'nowrap' },
  '.cm-textfield': {
    fontSize: '0.8125rem',
    padding: '0.25rem 0.5rem',
    color: 'inherit',
    backgroundColor: 'var(--code-back)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '0.25rem',
  },
  '.cm-button': {
    fontSize: '0.8125rem',
    padding: '0.25rem 0.625rem',
    minHeight: '24px',
    color: 'inherit',
    background: 'var(--mantine-color-default)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '0.25rem',
  },
  '.cm-panel.cm-search [name=close]': { color: 'inherit', minWidth: '24px', minHeight: '24px' },
  '.cm-tooltip': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '0.375rem',
    boxShadow: 'var(--mantine-shadow-md)',
    overflow: 'hidden',
    maxWidth: 'min(32rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: '16rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.1875rem 0.5rem', lineHeight: '1.4' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-primary-color-contrast)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.85', fontSize: '0.8125rem' },
  '.cm-diagnostic': { padding: '0.375rem 0.625rem', fontFamily: 'var(--mantine-font-family)' },
  '.cm-lintRange-error': {
    textDecoration: 'underline wavy var(--mantine-color-error)',
    backgroundImage: 'none',
  },
  '.cm-lintRange-info': { textDecoration: 'underline dotted var(--code-faint)', backgroundImage: 'none' },
  '.cm-lint-marker-info': {
    content: 'normal',
    width: '0.5em',
    height: '0.5em',
    margin: '0.4em 0.25em 0',
    borderRadius: '50%',
    backgroundColor: 'var(--code-faint)',
  },
  '.cm-lintRange-warning': {
    textDecoration: 'underline wavy var(--mantine-color-yellow-light-color)',
    backgroundImage: 'none',
  },
})

/** Colors and spacing of every code editor. */
const codeTheme = [theme, syntaxHighlighting(colors)]

/** Extensions of every editor, read-only or not. */
export const baseExtensions: Extension = [
  EditorView.cspNonce.of(nonce),
  lineNumbers(),
  drawSelection(),
  bracketMatching(),
  EditorView.lineWrapping,
  EditorState.tabSize.of(2),
  indentUnit.of('  '),
  search({ top: true }),
  codeTheme,
]

/** Further extensions of editors that are not read-only. */
export const editingExtensions: Extension = [
  history(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  indentOnInput(),
  closeBrackets(),
  autocompletion({ icons: false }),
  lintGutter(),
  EditorState.allowMultipleSelections.of(true),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
]
