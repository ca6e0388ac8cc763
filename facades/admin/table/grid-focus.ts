/**
 * A cell, as the index of its row in the value and the index of its column. Row -1 contains the column headers, and
 * column -1 contains the row numbers.
 */
export interface CellPlace {
  row: number
  column: number
}

/** The attribute by which `focusCell` finds a cell. */
export const placeAttribute = ({ row, column }: CellPlace) => ({ 'data-cell': `${row}:${column}` })

/** Moves the focus to a cell and selects its text. Returns false if the cell is not drawn. */
export const focusCell = (frame: HTMLElement | null, { row, column }: CellPlace): boolean => {
  const cell = frame?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)
  if (!cell) return false
  cell.focus({ preventScroll: true })
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  if (cell instanceof HTMLTextAreaElement) cell.select()
  return true
}

/** The rows and columns by which a key moves the focus; undefined if the focus stays in the cell. */
export const stepOf = (
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>,
  cell: EventTarget & Element,
  isEditing: boolean,
): [rows: number, columns: number] | undefined => {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event
  if (altKey || ctrlKey || metaKey) return undefined
  const isField = cell instanceof HTMLTextAreaElement
  if (key === 'Enter') return isField || cell instanceof HTMLInputElement ? [shiftKey ? -1 : 1, 0] : undefined
  if (key === 'Tab') return [0, shiftKey ? -1 : 1]
  if (shiftKey) return undefined
  const {
    selectionStart: start,
    selectionEnd: end,
    value,
  } = isField ? cell : { selectionStart: 0, selectionEnd: 0, value: '' }
  // An arrow key moves the cursor in the text. At an edge of the text, the arrow key leaves the cell instead. If the
  // whole text is selected and the cell is not being edited, an arrow key leaves the cell at once.
  const isSelected = !isEditing && start === 0 && end === value.length
  const isAt = (edge: number) => isSelected || (start === end && start === edge)
  if (key === 'ArrowLeft') return isAt(0) ? [0, -1] : undefined
  if (key === 'ArrowRight') return isAt(value.length) ? [0, 1] : undefined
  if (key === 'ArrowUp') return isSelected || !value.slice(0, start).includes('\n') ? [-1, 0] : undefined
  if (key === 'ArrowDown') return isSelected || !value.slice(end).includes('\n') ? [1, 0] : undefined
  return undefined
}
