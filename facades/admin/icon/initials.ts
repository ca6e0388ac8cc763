const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Returns the first letters of the first two words, or of the only one. An emoji is one letter, whatever it consists of. */
export const initialsOf = (name: string): string => {
  const [first = '', second] = name.trim().split(/\s+/)
  const letters = [...graphemes.segment(first)].map(({ segment }) => segment)
  const [start = '', next = ''] = letters
  const other = second === undefined ? next : [...graphemes.segment(second)][0]!.segment
  return (start + other).toUpperCase()
}
