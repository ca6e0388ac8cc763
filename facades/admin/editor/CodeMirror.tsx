import { isolateHistory, redo, undo } from '@codemirror/commands'
import { setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useImperativeHandle, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { CodeEditorProps, Correction } from './code-editor-props.ts'
import { offsetOfName } from './corrections.ts'
import { baseExtensions, editingExtensions } from './extensions.ts'
import { languageOf } from './languages.ts'
import { isBeingTyped } from './liquid-tags.ts'
import { pictureEvents } from './picture-events.ts'
import { offsetAt, toLintMarks } from './positions.ts'
import { createRememberedPlaces } from './remembered-places.ts'
import { replacement } from './replacement.ts'

interface CodeMirrorProps extends Omit<CodeEditorProps, 'isLabelHidden' | 'error'> {
  /** Ids of the elements that describe the editor. */
  describedBy: string
  isInvalid: boolean
}

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
      // CodeMirror stores line breaks as line feeds only.
      changes: replacement(editor.state.doc.toString(), value.replace(/\r\n?/g, '\n')),
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
    setText: content =>
      view.current?.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: content } }),
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
