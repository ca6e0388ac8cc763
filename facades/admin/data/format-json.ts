/**
 * Lays JSON out with one member on a line. Only white space changes: keys that stand twice, long numbers and escapes
 * stay as they were written.
 *
 * @param tokens of a text that is JSON
 */
export const formatJson = (tokens: readonly string[]): string => {
  let text = ''
  let depth = 0
  const line = () => {
    text += `\n${'  '.repeat(depth)}`
  }
  for (const [place, token] of tokens.entries()) {
    const before = tokens[place - 1]
    const isOpened = before === '{' || before === '['
    if (token === '}' || token === ']') {
      depth--
      if (!isOpened) line()
    } else if (isOpened || before === ',') line()
    text += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
  }
  return text
}
