import type { EditorView } from 'prosemirror-view'
import { type Ref, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { type BlockChoice, choicesFor } from './block-choices.ts'
import type { SlashMenuHandle, TypedAfterSlash } from './slash.ts'
import classes from './VisualEditor.module.css'

interface SlashMenuProps {
  view: EditorView
  typed: TypedAfterSlash
  onChoose: (choice: BlockChoice, typed: TypedAfterSlash) => void
  /** Called with the id of the active choice; null if the menu is closed. */
  onActive: (id: string | null) => void
  ref: Ref<SlashMenuHandle>
}

/** The menu that `/` opens at the cursor. The focus stays in the text. */
export const SlashMenu = ({ view, typed, onChoose, onActive, ref }: SlashMenuProps) => {
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const choices = dismissed === typed.from ? [] : choicesFor(typed.typed)
  const active = Math.min(chosen, choices.length - 1)
  const idOf = ({ label }: BlockChoice) => `${id}-${label.replaceAll(' ', '-')}`
  const activeId = choices.length > 0 ? idOf(choices[active]!) : null
  useEffect(() => {
    onActive(activeId)
    return () => onActive(null)
  }, [activeId, onActive])
  // biome-ignore lint/correctness/useExhaustiveDependencies: also scrolls to another active choice
  useLayoutEffect(() => {
    const { current: menu } = list
    const box = menu?.offsetParent
    if (!menu || !box) return
    const outer = box.getBoundingClientRect()
    const { left, bottom } = view.coordsAtPos(typed.from)
    menu.style.top = `${bottom - outer.top + box.scrollTop + 4}px`
    menu.style.left = `${Math.max(4, Math.min(left - outer.left, box.clientWidth - menu.offsetWidth - 4))}px`
    menu.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [view, typed.from, activeId])
  const move = (step: number) => setChosen((active + step + choices.length) % choices.length)
  useImperativeHandle(ref, () => ({
    onKeyDown: ({ key }) => {
      if (choices.length === 0) return false
      if (key === 'ArrowDown') move(1)
      else if (key === 'ArrowUp') move(-1)
      else if (key === 'Enter' || key === 'Tab') onChoose(choices[active]!, typed)
      else if (key === 'Escape') setDismissed(typed.from)
      else return false
      return true
    },
  }))
  if (choices.length === 0) return null
  return (
    <div ref={list} className={classes.menu} role="listbox" tabIndex={-1} aria-label="Blocks">
      {choices.map((choice, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the text, which keeps the focus
        <div
          key={choice.label}
          id={idOf(choice)}
          role="option"
          tabIndex={-1}
          aria-selected={i === active}
          // Keep the focus in the text.
          onMouseDown={event => event.preventDefault()}
          onClick={() => onChoose(choice, typed)}
        >
          {choice.label}
          {choice.sign && <span className={classes.sign}>{choice.sign}</span>}
        </div>
      ))}
    </div>
  )
}
