import { setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useImperativeHandle, useRef } from 'react'
import type { CodeEditorProps } from './CodeEditor.tsx'
import { languageOf } from './languages.ts'
import { located, positionOf } from './places.ts'
import { reading, writing } from './setup.ts'

interface CodeMirrorProps extends Omit<CodeEditorProps, 'isLabelHidden' | 'error'> {
  /** Ids of what tells more about the editor. */
  describedBy: string
  isInvalid: boolean
}

/** The editor itself. It keeps the text; React hears of changes and is not asked for every key. */
const CodeMirror = (props: CodeMirrorProps) => {
  const { value, language, label, diagnostics, describedBy, isInvalid, isReadOnly = false, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  // What the editor asks for later is what the view was given last.
  const latest = useRef(props)
  latest.current = props
  const text = useRef(value)
  const parts = useRef({ language: new Compartment(), attributes: new Compartment() }).current

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
                latest.current.onSave?.()
                return true
              },
            },
          ]),
          reading,
          latest.current.isReadOnly ? [EditorState.readOnly.of(true)] : writing,
          parts.language.of(languageOf(latest.current.language, () => latest.current.completions)),
          parts.attributes.of([]),
          EditorView.updateListener.of(update => {
            if (!update.docChanged) return
            text.current = update.state.doc.toString()
            latest.current.onChange?.(text.current)
          }),
        ],
      }),
    })
    view.current = editor
    return () => {
      editor.destroy()
      view.current = null
    }
  }, [parts])

  useEffect(() => {
    if (value === text.current) return
    const { current: editor } = view
    text.current = value
    editor?.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({
      effects: parts.language.reconfigure(languageOf(language, () => latest.current.completions)),
    })
  }, [language, parts])

  useEffect(() => {
    view.current?.dispatch({
      effects: parts.attributes.reconfigure(
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
  }, [label, describedBy, isInvalid, isReadOnly, language, parts])

  useEffect(() => {
    const { current: editor } = view
    if (editor) editor.dispatch(setDiagnostics(editor.state, located(editor.state.doc, diagnostics ?? [])))
  }, [diagnostics])

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    setText: words =>
      view.current?.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: words } }),
    goTo: (line, column) => {
      const { current: editor } = view
      if (!editor) return
      const anchor = positionOf(editor.state.doc, line, column)
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      editor.focus()
    },
  }))

  return <div ref={host} />
}

export default CodeMirror
