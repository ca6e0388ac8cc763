const number = new Intl.NumberFormat('en')

/** Characters as they are counted by the rules: code points. */
const count = (text: string) => {
  let points = 0
  for (const _ of text) points += 1
  return points
}

/** What is wrong with a body that is too long; undefined when it is not. */
export const tooLong = (text: string, max: number): string | undefined => {
  if (text.length <= max) return undefined
  const length = count(text.trim())
  return length <= max
    ? undefined
    : `This is ${number.format(length - max)} characters too long; ${number.format(max)} are allowed. Move pieces of it into parts.`
}
