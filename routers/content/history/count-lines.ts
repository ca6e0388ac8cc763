import type { ChangeRow } from '../../../db/queries/history.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { requireChange, shownSide } from './read-change.ts'

/** How many lines a change has added and removed. */
interface Lines {
  added: number
  removed: number
}

/** Counts the lines that only one of two texts has. A line that has moved counts as neither. */
export const countLines = (before: string, after: string): Lines => {
  const left = new Map<string, number>()
  let removed = 0
  for (const line of linesOf(before)) {
    left.set(line, (left.get(line) ?? 0) + 1)
    removed++
  }
  let added = 0
  for (const line of linesOf(after)) {
    const count = left.get(line) ?? 0
    if (count > 0) {
      left.set(line, count - 1)
      removed--
    } else added++
  }
  return { added, removed }
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Counts the lines of a change to an existing page, part or record; null for any other change, and for an unknown one. */
export const linesOfChange = async (reader: SpaceCall, id: string): Promise<Lines | null> => {
  try {
    const row = await requireChange(reader.sql, reader.space.id, id, ['page', 'part', 'record'])
    if (row.before === null || row.after === null) return null
    const [before, after] = await Promise.all([
      textOfSide(reader, row, 'before'),
      textOfSide(reader, row, 'after'),
    ])
    return countLines(before, after)
  } catch (error) {
    if (error instanceof Problem && error.problem === 'change_not_found') return null
    throw error
  }
}

const textOfSide = async (reader: SpaceCall, row: ChangeRow, side: 'before' | 'after'): Promise<string> => {
  const text = (await shownSide(reader, row, side))?.text ?? ''
  // A record's value is formatted, because it is stored without line breaks.
  return row.kind === 'record' ? JSON.stringify(JSON.parse(text), null, 2) : text
}
