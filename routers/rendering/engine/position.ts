import { characterCount } from './context.ts'

/** A position in a string. Line and column count from 1; columns are characters. */
export interface Position {
  line: number
  column: number
}

/** Returns the positions of indexes in a string, in one pass. @param indexes in ascending order */
export function positionsIn(text: string, indexes: readonly number[]): Position[] {
  const position = { line: 1, column: 1 }
  let at = 0
  return indexes.map(index => {
    for (let end = text.indexOf('\n', at); end !== -1 && end < index; end = text.indexOf('\n', at)) {
      position.line += 1
      position.column = 1
      at = end + 1
    }
    position.column += characterCount(text.slice(at, index))
    at = index
    return { ...position }
  })
}

/** Converts an index in a string to a line and a column. */
export function positionIn(text: string, index: number): Position {
  return positionsIn(text, [index])[0]!
}
