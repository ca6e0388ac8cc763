import type { Extension } from '@codemirror/state'
import { EditorView, hoverTooltip, keymap } from '@codemirror/view'
import { hasMod, MOD } from '../shell/platform.ts'
import type { NameActions } from './code-editor-props.ts'
import { nameAt } from './names-in-code.ts'

/** How long the pointer rests on a name before its value is shown, in ms. */
const HOVER = 400

/**
 * Opens the part, record or file that a template names, on Ctrl+click or Cmd+click and on Alt+Enter, and shows what it is
 * when the pointer rests on its name.
 *
 * @param actions returns undefined while the names are not known
 */
export const nameLinks = (actions: () => NameActions | undefined): Extension => {
  const at = (view: EditorView, offset: number) => {
    const { files } = actions() ?? {}
    return files ? nameAt(view.state.doc.toString(), offset, files) : null
  }
  const open = (view: EditorView, offset: number | null): boolean => {
    const name = offset === null ? null : at(view, offset)
    if (name) actions()?.open(name)
    return name !== null
  }
  return [
    EditorView.domEventHandlers({
      mousedown: (event, view) =>
        event.button === 0 &&
        hasMod(event) &&
        open(view, view.posAtCoords({ x: event.clientX, y: event.clientY })),
    }),
    keymap.of([{ key: 'Alt-Enter', run: view => open(view, view.state.selection.main.head) }]),
    hoverTooltip(
      async (view, offset) => {
        const name = at(view, offset)
        const text = name && (await actions()?.describe(name))
        if (!name || !text) return null
        return {
          pos: name.begin,
          end: name.end,
          above: true,
          create: () => {
            const dom = document.createElement('div')
            dom.className = 'cm-diagnostic'
            dom.append(text, document.createElement('br'), `${MOD}+click or Alt+Enter opens it.`)
            return { dom }
          },
        }
      },
      { hoverTime: HOVER },
    ),
  ]
}
