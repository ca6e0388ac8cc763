import { isolateHistory, redo, undo } from '@codemirror/commands'
import { type Diagnostic as LintMark, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useImperativeHandle, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { CodeEditorProps, Correction, Diagnostic } from './code-editor-props.ts'
import { correctionText, offsetOfName } from './corrections.ts'
import { baseExtensions, editingExtensions } from './extensions.ts'
import { languageOf } from './languages.ts'
import { isBeingTyped } from './liquid-tags.ts'
import { nameLinks } from './name-links.ts'
import { replacement } from './replacement.ts'
import { currentRange } from './written-place.ts'

interface CodeMirrorProps extends Omit<CodeEditorProps, 'isLabelHidden' | 'error'> {
  /** Ids of the elements that describe the editor. */
  describedBy: string
  isInvalid: boolean
}

/** The smallest change that turns the text of an editor into another, so that the cursor stays where it is. */
const changesTo = (editor: EditorView, text: string) =>
  // CodeMirror stores line breaks as line feeds only.
  replacement(editor.state.doc.toString(), text.replace(/\r\n?/g, '\n'))

/** Replaces a misspelled name in the tag or output at an offset. If the name is gone, only moves the cursor there. */
const correct = (editor: EditorView, at: number, correction: Correction) => {
  const from = offsetOfName(editor.state.doc.toString(), at, correction)
  const { written, nearest } = correction
  editor.dispatch(
    from === undefined
      ? { selection: { anchor: at }, scrollIntoView: true }
      : {
          changes: { from, to: from + written.length, insert: nearest },
          selection: { anchor: from + nearest.length },
          annotations: isolateHistory.of('full'),
          scrollIntoView: true,
        },
  )
  editor.focus()
}

/** The CodeMirror editor. It owns the text and only notifies React of changes, so typing does not re-render. */
const CodeMirror = (props: CodeMirrorProps) => {
  const { value, language, label, diagnostics, describedBy, isInvalid, isReadOnly = false, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  // CodeMirror keeps its callbacks across renders, so they read the latest props from this ref.
  const latest = useRef(props)
  latest.current = props
  const text = useRef(value)
  const places = useRef(createRememberedPlaces()).current
  const [, render] = useReducer((renders: number) => renders + 1, 0)
  const compartments = useRef({ language: new Compartment(), attributes: new Compartment() }).current

  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: text.current,
        extensions: [
          keymap.of([
            {
              key: 'Mod-s',
              preventDefault: true,
              run: () => {
                // Render first: the shortcut can arrive before React has rendered the text typed just before it, and
                // then `onSave` would not see that text.
                flushSync(render)
                latest.current.onSave?.()
                return true
              },
            },
          ]),
          baseExtensions,
          places.extension,
          nameLinks(() => latest.current.names),
          pictureEvents((pictures, editor, at) => {
            const { onPictures } = latest.current
            if (!onPictures) return false
            onPictures(pictures, places.remember(editor, at))
            return true
          }),
          latest.current.isReadOnly ? [EditorState.readOnly.of(true)] : editingExtensions,
          compartments.language.of(languageOf(latest.current.language, () => latest.current.completions)),
          compartments.attributes.of([]),
          EditorView.updateListener.of(update => {
            if (!update.docChanged) {
              if (update.selectionSet || update.focusChanged) latest.current.onCursor?.()
              return
            }
            text.current = update.state.doc.toString()
            latest.current.onChange?.(text.current)
          }),
        ],
      }),
    })
    view.current = editor
    latest.current.onLoad?.()
    return () => {
      editor.destroy()
      view.current = null
    }
  }, [compartments, places])

  useEffect(() => {
    if (value === text.current) return
    const { current: editor } = view
    text.current = value
    editor?.dispatch({
      changes: changesTo(editor, value),
      annotations: isolateHistory.of('full'),
    })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({
      effects: compartments.language.reconfigure(languageOf(language, () => latest.current.completions)),
    })
  }, [language, compartments])

  useEffect(() => {
    view.current?.dispatch({
      effects: compartments.attributes.reconfigure(
        EditorView.contentAttributes.of({
          'aria-label': label,
          tabindex: '0',
          'aria-describedby': describedBy,
          ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
          ...(isReadOnly ? { 'aria-readonly': 'true' } : {}),
          spellcheck: language === 'markdown' ? 'true' : 'false',
          autocapitalize: 'off',
          autocorrect: 'off',
        }),
      ),
    })
  }, [label, describedBy, isInvalid, isReadOnly, language, compartments])

  useEffect(() => {
    const { current: editor } = view
    if (editor)
      editor.dispatch(setDiagnostics(editor.state, toLintMarks(editor.state.doc, diagnostics ?? [], correct)))
  }, [diagnostics])

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    setText: content => view.current?.dispatch({ changes: changesTo(view.current, content) }),
    undo: isRedo => {
      if (view.current) (isRedo ? redo : undo)(view.current)
    },
    goTo: (line, column) => {
      const { current: editor } = view
      if (!editor) return
      const anchor = offsetAt(editor.state.doc, line, column)
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      editor.focus()
    },
    select: (written, range) => {
      const { current: editor } = view
      const now = editor && currentRange(written, editor.state.doc.toString(), range)
      if (!now) return false
      editor.dispatch({
        selection: { anchor: now.begin, head: now.end },
        effects: EditorView.scrollIntoView(now.begin, { y: 'center' }),
      })
      return true
    },
    replace: (written, range, insert) => {
      const { current: editor } = view
      const now = editor && currentRange(written, editor.state.doc.toString(), range)
      if (!now) return false
      editor.dispatch({
        changes: { from: now.begin, to: now.end, insert },
        annotations: isolateHistory.of('full'),
      })
      return true
    },
    cursor: () => {
      const { current: editor } = view
      if (!editor?.hasFocus) return null
      return { text: editor.state.doc.toString(), at: editor.state.selection.main.from }
    },
    correct: (line, column, correction) => {
      const { current: editor } = view
      if (editor) correct(editor, offsetAt(editor.state.doc, line, column), correction)
    },
    rememberCursor: () => {
      const { current: editor } = view
      return editor ? places.remember(editor, editor.state.selection.main.head) : () => {}
    },
    isBeingTyped: (line, column) => {
      const { current: editor } = view
      if (!editor?.hasFocus) return false
      const { doc, selection } = editor.state
      const blocks = latest.current.completions?.blocks ?? []
      return isBeingTyped(doc.toString(), offsetAt(doc, line, column), selection.main.head, blocks)
    },
  }))

  return <div ref={host} />
}

export default CodeMirror

const picturesIn = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))

/**
 * Handles pictures that are dropped into an editor or pasted.
 *
 * @param onPictures called with the pictures and their position in the text; returns whether it accepts them
 */
export const pictureEvents = (
  onPictures: (pictures: File[], view: EditorView, at: number) => boolean,
): Extension =>
  EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => {
      const pictures = picturesIn(clipboardData)
      // Office programs also put a picture of the copied text on the clipboard. In that case, paste the text.
      if (pictures.length === 0 || clipboardData?.types.includes('text/plain')) return false
      return onPictures(pictures, view, view.state.selection.main.head)
    },
    drop: (event, view) => {
      const pictures = picturesIn(event.dataTransfer)
      if (pictures.length === 0) return false
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head
      return onPictures(pictures, view, at)
    },
  })

/** Converts a line and a column, counted in code points, to an offset within the text. */
export const offsetAt = (text: Text, line: number, column: number): number => {
  const { from, to, text: content } = text.line(Math.min(Math.max(1, line), text.lines))
  const before = Array.from(content.slice(0, 2 * column)).slice(0, column - 1)
  return Math.min(from + before.join('').length, to)
}

/** The text to underline: a whole tag or output, otherwise the rest of the line. */
const MARKED = /^\{%.*?%\}|^\{\{.*?\}\}|^.*/

/** The text to underline for a hint: a tag, an output, a name or a quoted string. */
const HINTED = /^\{%.*?%\}|^\{\{.*?\}\}|^[^\s"'|}<>]+|^(["']).*?\1/

/**
 * Converts diagnostics to the ranges that CodeMirror underlines.
 *
 * @param correct applies a correction to the text at an offset
 */
export const toLintMarks = (
  text: Text,
  diagnostics: readonly Diagnostic[],
  correct: (editor: EditorView, at: number, correction: Correction) => void,
): LintMark[] =>
  diagnostics.map(({ line, column, message, severity = 'error', correction }) => {
    const from = offsetAt(text, line, column)
    const rest = text.sliceString(from, Math.min(text.lineAt(from).to, from + 1000))
    const [marked = ''] = (severity === 'info' ? HINTED : MARKED).exec(rest) ?? []
    const actions = correction
      ? [
          {
            name: correctionText(correction),
            apply: (editor: EditorView, at: number) => correct(editor, at, correction),
          },
        ]
      : []
    return { from, to: from + marked.trimEnd().length, message, severity, actions }
  })

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
