import { invalid } from '../../api/problem.ts'

/** The replacement of a passage that occurs exactly once. */
export interface Edit {
  old: string
  new: string
}

/** Maximum number of lines that an error lists. */
const MAX_LINES = 10

/** A piece of the text: of the original, from the position `from`, or put in by the edit `edit`. */
interface Piece {
  length: number
  from: number
  edit: number | null
}

/**
 * Applies edits one after another, each to the result of the previous edit.
 *
 * @param form a hint about how `text` is written. The error for a passage that does not occur ends with this hint.
 * @throws `validation_failed` when a passage does not occur exactly once; the field is `edits.<index>.old`. Lines in the
 * error are those of `text`, which is what the caller has read.
 */
export const applyEdits = (
  text: string,
  edits: readonly Edit[],
  form = 'white space must match exactly',
): string => {
  let result = text
  let pieces: Piece[] = [{ length: text.length, from: 0, edit: null }]
  for (const [index, edit] of edits.entries()) {
    const places = placesOf(result, edit.old)
    const [at] = places
    if (at === undefined)
      throw invalid(
        `edits.${index}.old`,
        `must occur exactly once, but does not occur${whyAbsent(text, edit, form)}`,
      )
    if (places.length > 1) {
      const found = places.map(place => piecesIn(pieces, place, place + edit.old.length))
      throw invalid(`edits.${index}.old`, repeatedMessage(text, found))
    }
    const end = at + edit.old.length
    result = result.slice(0, at) + edit.new + result.slice(end)
    pieces = [
      ...piecesIn(pieces, 0, at),
      { length: edit.new.length, from: 0, edit: index },
      ...piecesIn(pieces, end, Number.POSITIVE_INFINITY),
    ]
  }
  return result
}

/** Returns the pieces between two positions. */
const piecesIn = (pieces: readonly Piece[], begin: number, end: number): Piece[] => {
  let at = 0
  return pieces.flatMap(({ length, from, edit }) => {
    const first = Math.max(begin - at, 0)
    const last = Math.min(end - at, length)
    at += length
    return first < last ? [{ length: last - first, from: from + first, edit }] : []
  })
}

/**
 * Returns the positions at which `part` occurs in `text`, including overlapping ones. Stops after `MAX_LINES` + 1
 * positions: an error lists the first `MAX_LINES`, and the extra one shows that there are more.
 */
const placesOf = (text: string, part: string): number[] => {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1 && places.length <= MAX_LINES; at = text.indexOf(part, at + 1))
    places.push(at)
  return places
}

const whyAbsent = (text: string, { old }: Edit, form: string): string =>
  text.includes(old)
    ? ' any more after the edits before this one, because each is made in the result of the previous one'
    : `; ${form}`

/** @param found the pieces of each place at which the passage occurs */
const repeatedMessage = (text: string, found: readonly Piece[][]): string => {
  const lines = new Set<number>()
  const makers = new Set<number>()
  for (const pieces of found.slice(0, MAX_LINES)) {
    const maker = pieces.find(({ edit }) => edit !== null)?.edit ?? null
    if (maker === null) lines.add(text.slice(0, pieces[0]!.from).split('\n').length)
    else makers.add(maker)
  }
  const times = found.length > MAX_LINES ? `more than ${MAX_LINES} times` : `${found.length} times`
  const where = [
    ...(lines.size > 0 ? [`in ${lines.size === 1 ? 'line' : 'lines'} ${[...lines].join(', ')}`] : []),
    ...[...makers].map(index => `in the text of edits.${index}.new`),
  ]
  return `must occur exactly once, but occurs ${times}, ${where.join(' and ')}; include more of the text around it`
}
