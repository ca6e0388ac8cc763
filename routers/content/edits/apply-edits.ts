import { invalid } from '../../core/problem.ts'

/** The replacement of a passage that occurs exactly once. */
export interface Edit {
  old: string
  new: string
}

/** Maximum number of lines that an error lists. */
const MAX_LINES = 10

/**
 * Applies edits one after another, each to the result of the previous edit.
 *
 * @param form a hint about how `text` is written. The error for a passage that does not occur ends with this hint.
 * @throws `validation_failed` when a passage does not occur exactly once; the field is `edits.<index>.old`
 */
export const applyEdits = (
  text: string,
  edits: readonly Edit[],
  form = 'white space must match exactly',
): string => {
  let result = text
  for (const [index, edit] of edits.entries()) {
    const places = placesOf(result, edit.old)
    const [at] = places
    if (at === undefined || places.length > 1)
      throw invalid(`edits.${index}.old`, messageFor(result, places, form))
    result = result.slice(0, at) + edit.new + result.slice(at + edit.old.length)
  }
  return result
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

const messageFor = (text: string, places: readonly number[], form: string): string => {
  if (places.length === 0) return `must occur exactly once, but does not occur; ${form}`
  const numbers = places.slice(0, MAX_LINES).map(at => text.slice(0, at).split('\n').length)
  const lines = [...new Set(numbers)]
  const times = places.length > MAX_LINES ? `more than ${MAX_LINES} times` : `${places.length} times`
  return `must occur exactly once, but occurs ${times}, in ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}; include more of the text around it`
}
