const number = new Intl.NumberFormat('en')

/** Length in code points, the unit of every limit. */
const countCodePoints = (text: string) => {
  let points = 0
  for (const _ of text) points += 1
  return points
}

/** The error message for a body longer than `max` code points; undefined if it fits. */
export const lengthError = (text: string, max: number): string | undefined => {
  if (text.length <= max) return undefined
  const length = countCodePoints(text.trim())
  return length <= max
    ? undefined
    : `This is ${number.format(length - max)} characters too long; the limit is ${number.format(max)}. Move some of it into parts.`
}
