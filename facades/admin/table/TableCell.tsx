import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type CellKind, cellOf, kindOf, shownCell } from './cell.ts'
import { splitCells } from './delimited-text.ts'
import { type CellPlace, placeAttribute, stepOf } from './grid-focus.ts'
import css from './table.module.css'

/** Functions of the table that a cell calls. They keep their identity across renders. */
export interface CellActions {
  /**
   * Writes a cell. The value's text is up to date when this returns.
   *
   * @param json undefined to remove the key from the object
   */
  onEdit: (place: CellPlace, json: string | undefined) => void
  onPaste: (place: CellPlace, cells: string[][]) => void
  onFocus: (place: CellPlace) => void
  /**
   * Moves the focus by rows and columns. Returns false if there is no cell; Tab then leaves the table.
   *
   * @param wraps whether a move past an end of a row continues in the adjacent row
   */
  onMove: (place: CellPlace, rows: number, columns: number, wraps: boolean) => boolean
  onLeave: () => void
  onUndo: (isRedo: boolean) => void
  onOpenJson: (place: CellPlace) => void
}

interface TableCellProps extends CellActions {
  place: CellPlace
  json: string | undefined
  columnKind: CellKind | undefined
  /** Names the column and row for screen readers. */
  label: string
}

/** How long after the last key press a change is written to the value, in ms. */
const DEBOUNCE = 300

/**
 * A cell whose input fits the type of its value. Whenever the person stops typing for a moment, the text is written to
 * the value, so that the draft contains the text.
 */
export const TableCell = (props: TableCellProps) => {
  const { place, json, label } = props
  const kind = json === undefined ? 'null' : kindOf(json)
  const [typed, setTyped] = useState<string | null>(null)
  /** The value before the edit. The typed text keeps the type of this value where possible. */
  const before = useRef(json)
  const latest = useRef({ props, typed })
  latest.current = { props, typed }

  const write = () => {
    const { props, typed } = latest.current
    if (typed === null) return
    const edited = cellOf(typed, before.current, props.columnKind)
    if (edited !== props.json) props.onEdit(props.place, edited)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the typed text changes
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(write, DEBOUNCE)
    return () => clearTimeout(timer)
  }, [typed])
  const finish = () => {
    write()
    setTyped(null)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && key.toLowerCase() === 's') return write()
    if (isCommand && /^[zy]$/i.test(key)) {
      event.preventDefault()
      finish()
      return props.onUndo(key.toLowerCase() === 'y' || event.shiftKey)
    }
    if (key === 'Escape') {
      event.stopPropagation()
      if (typed === null) return props.onLeave()
      setTyped(null)
      if (before.current !== json) props.onEdit(place, before.current)
      return
    }
    if (key === 'Enter' && event.altKey && event.currentTarget instanceof HTMLTextAreaElement) {
      event.preventDefault()
      const field = event.currentTarget
      field.setRangeText('\n', field.selectionStart, field.selectionEnd, 'end')
      return change(field.value)
    }
    const step = stepOf(event, event.currentTarget, typed !== null)
    if (!step) return
    // Write this cell before the focus moves: writing later could draw the next cell again while it is being edited.
    finish()
    if (props.onMove(place, ...step, key === 'Tab') || key === 'Enter') event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    // Let the browser paste a text without tabs if the cell is being edited or the text is a single line.
    if (!text.includes('\t') && (typed !== null || !/[\r\n]/.test(text))) return
    event.preventDefault()
    setTyped(null)
    props.onPaste(place, splitCells(text, '\t'))
  }
  const change = (text: string) => {
    if (typed === null) before.current = json
    setTyped(text)
  }
  const shared = {
    ...placeAttribute(place),
    'aria-label': label,
    onKeyDown,
    onPaste,
    onFocus: () => props.onFocus(place),
  }
  // While a cell is being edited, the cell stays a text field, even if the typed text gives the value another type.
  if (typed === null && kind === 'nested') {
    const shown = json!.replace(/\s+/g, ' ').slice(0, 100)
    return (
      <button
        type="button"
        {...shared}
        aria-label={`${label}: ${shown}`}
        title="Lists and objects are edited as JSON"
        className={`${css.cell} ${css.nested}`}
        onClick={() => props.onOpenJson(place)}
      >
        {shown}
      </button>
    )
  }
  if (typed === null && kind === 'boolean')
    return (
      <label className={`${css.cell} ${css.switch}`}>
        <input
          type="checkbox"
          {...shared}
          checked={json === 'true'}
          onChange={event => props.onEdit(place, event.currentTarget.checked ? 'true' : 'false')}
        />
        <span aria-hidden>{json}</span>
      </label>
    )
  return (
    <textarea
      {...shared}
      rows={1}
      className={css.cell}
      data-kind={kind}
      value={typed ?? shownCell(json)}
      placeholder={json === 'null' ? 'null' : ''}
      spellCheck={kind === 'text'}
      autoComplete="off"
      onChange={event => change(event.currentTarget.value)}
      onBlur={finish}
    />
  )
}
