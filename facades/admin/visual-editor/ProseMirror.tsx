import { type Command, EditorState, type Transaction } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useEffectEvent, useImperativeHandle, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import 'prosemirror-view/style/prosemirror.css'
import 'prosemirror-gapcursor/style/gapcursor.css'
import { DescribePicture } from '../pictures/DescribePicture.tsx'
import { hasMod } from '../shell/platform.ts'
import { describePicture, linkAt, selectedPicture, setLink } from './commands.ts'
import { LinkDialog } from './LinkDialog.tsx'
import { type OpenedMarkdown, openMarkdown } from './open-markdown.ts'
import { insertMarkdown, pasting } from './paste.ts'
import { pictureView } from './picture-view.ts'
import { SlashMenu } from './SlashMenu.tsx'
import { type SlashMenuHandle, typedAfterSlash } from './slash.ts'
import { Toolbar } from './Toolbar.tsx'
import { typing } from './typing.ts'
import classes from './VisualEditor.module.css'
import type { VisualEditorProps } from './visual-editor-props.ts'

interface ProseMirrorProps extends VisualEditorProps {
  /** Ids of the elements that describe the editor. */
  describedBy: string
  isInvalid: boolean
}

const picturesIn = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))

/** The keys with which the menu of blocks is used. */
const MENU_KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape'])

/** Marks a change that came from outside, such as the Markdown beside the editor. */
const FROM_OUTSIDE = 'from outside'

/** The editor itself. It owns the document, and tells its parent the Markdown of each change. */
const ProseMirror = (props: ProseMirrorProps) => {
  const { value, label, describedBy, isInvalid, choosePictures, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const text = useRef(value)
  const opened = useRef<OpenedMarkdown>(null)
  const places = useRef(new Set<{ at: number }>()).current
  const slash = useRef<SlashMenuHandle>(null)
  const latest = useRef(props)
  latest.current = props
  const [state, setState] = useState<EditorState | null>(null)
  const [dialog, setDialog] = useState<'link' | 'picture' | null>(null)
  const [, render] = useReducer((renders: number) => renders + 1, 0)

  /** Remembers a place while the document changes. Returns a function that inserts Markdown there. */
  const remember = (at: number) => {
    const place = { at }
    places.add(place)
    return (markdown: string) => {
      const { current: editor } = view
      if (editor) editor.dispatch(insertMarkdown(editor.state, place.at, markdown))
    }
  }
  const takePictures = (pictures: File[], at: number) => {
    const { onPictures } = latest.current
    if (pictures.length === 0 || !onPictures) return false
    onPictures(pictures, remember(at))
    return true
  }

  const onKeyDown = (editor: EditorView, event: KeyboardEvent): boolean => {
    const isMod = hasMod(event)
    // Render first, so that the menu and `onSave` see the text that was typed just before.
    if (isMod || MENU_KEYS.has(event.key)) flushSync(render)
    if (slash.current?.onKeyDown(event)) return true
    if (isMod && event.key.toLowerCase() === 's') {
      latest.current.onSave?.()
      return true
    }
    if (isMod && event.key.toLowerCase() === 'k') {
      setDialog('link')
      return true
    }
    if (event.key === 'Escape') {
      // The next Tab then leaves the editor, also from a list.
      editor.dom.blur()
      return true
    }
    return false
  }

  const dispatch = (editor: EditorView, transaction: Transaction) => {
    const next = editor.state.apply(transaction)
    for (const place of places) place.at = transaction.mapping.map(place.at)
    editor.updateState(next)
    setState(next)
    if (!transaction.docChanged || transaction.getMeta(FROM_OUTSIDE)) return
    const written = opened.current!.write(next.doc)
    if (written === text.current) return
    text.current = written
    latest.current.onChange(written)
  }

  const open = useEffectEvent(() => {
    opened.current = openMarkdown(text.current)
    const begun = EditorState.create({ doc: opened.current.doc, plugins: typing() })
    const editor = new EditorView(host.current, {
      state: begun,
      dispatchTransaction: transaction => dispatch(editor, transaction),
      handleKeyDown: onKeyDown,
      nodeViews: { image: pictureView },
      ...pasting,
      handlePaste: (at, event, slice) => {
        const pictures = picturesIn(event.clipboardData)
        // Office programs also put a picture of the copied text on the clipboard. In that case, paste the text.
        if (pictures.length > 0 && !event.clipboardData?.types.includes('text/plain'))
          return takePictures(pictures, at.state.selection.head)
        return pasting.handlePaste!.call(undefined, at, event, slice) === true
      },
      handleDrop: (at, event) => {
        const place = at.posAtCoords({ left: event.clientX, top: event.clientY })
        return takePictures(picturesIn(event.dataTransfer), place?.pos ?? at.state.selection.head)
      },
    })
    view.current = editor
    setState(begun)
    latest.current.onLoad?.()
    return editor
  })
  useEffect(() => {
    const editor = open()
    return () => {
      editor.destroy()
      view.current = null
    }
  }, [])

  useEffect(() => {
    const { current: editor } = view
    if (!editor || value === text.current) return
    text.current = value
    opened.current = openMarkdown(value, opened.current?.blocks)
    const { doc } = opened.current
    const before = editor.state.doc
    const from = before.content.findDiffStart(doc.content)
    const to = before.content.findDiffEnd(doc.content)
    if (from === null || to === null) return
    // Both ends can overlap in repeated text.
    const overlap = Math.max(0, from - Math.min(to.a, to.b))
    const change = editor.state.tr.replace(from, to.a + overlap, doc.slice(from, to.b + overlap))
    editor.dispatch(change.setMeta(FROM_OUTSIDE, true))
  }, [value])

  const menu = state && typedAfterSlash(state)
  const picture = state && selectedPicture(state)
  const [active, setActive] = useState<string | null>(null)
  useEffect(() => {
    view.current?.setProps({
      attributes: {
        class: classes.text!,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-describedby': describedBy,
        spellcheck: 'true',
        ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
        ...(active === null ? {} : { 'aria-activedescendant': active }),
      },
    })
  }, [label, describedBy, isInvalid, active])

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    rememberCursor: () => {
      const { current: editor } = view
      return editor ? remember(editor.state.selection.head) : () => {}
    },
  }))

  /** Runs a command and returns to the text. */
  const run = (command: Command) => {
    const { current: editor } = view
    if (!editor) return
    command(editor.state, editor.dispatch, editor)
    editor.focus()
  }

  return (
    <>
      {state && (
        <Toolbar
          state={state}
          run={run}
          onLink={() => setDialog('link')}
          onPicture={() => setDialog('picture')}
        />
      )}
      <div className={classes.scroller}>
        <div ref={host} className={classes.host} />
        {menu && view.current && (
          <SlashMenu
            ref={slash}
            view={view.current}
            typed={menu}
            onActive={setActive}
            onChoose={({ command }, { from, to }) => {
              const { current: editor } = view
              if (!editor) return
              editor.dispatch(editor.state.tr.delete(from, to))
              if (command) run(command)
              else choosePictures()
            }}
          />
        )}
      </div>
      {dialog === 'link' && state && (
        <LinkDialog
          link={linkAt(state)?.href ?? null}
          needsText={state.selection.empty && linkAt(state) === null}
          onSet={(href, linked) => run(setLink(href, linked))}
          onClose={() => {
            setDialog(null)
            view.current?.focus()
          }}
        />
      )}
      {dialog === 'picture' && picture && (
        <DescribePicture
          src={picture.attrs.src}
          alt={picture.attrs.alt}
          action="Save description"
          onDescribed={alt => {
            setDialog(null)
            run(describePicture(alt))
          }}
          onClose={() => {
            setDialog(null)
            view.current?.focus()
          }}
        />
      )}
    </>
  )
}

export default ProseMirror
