import { format } from 'jsonc-parser'

/** Returns the value at a path of keys and indexes; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  )

/**
 * Formats JSON as `JSON.stringify(value, null, 2)` does, but changes white space only: duplicate keys, long numbers
 * and escapes stay as they were typed.
 *
 * @param text valid JSON
 */
export const formatJson = (text: string): string => {
  const edits = format(text, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' })
  // jsonc-parser's own applyEdits copies the whole text for every edit.
  let formatted = ''
  let end = 0
  for (const { offset, length, content } of edits) {
    formatted += text.slice(end, offset) + content
    end = offset + length
  }
  return formatted + text.slice(end)
}

/**
 * Converts an offset in JSON without white space to the offset in the same JSON with any white space.
 *
 * @returns the end of the text if its JSON is another one
 */
export const offsetInFormatted = (compact: string, formatted: string, offset: number): number => {
  let at = 0
  // The texts differ only in white space outside of strings, which the compact one does not have.
  for (let index = 0; at < formatted.length; at += 1)
    if (formatted[at] === compact[index]) {
      if (index === offset) break
      index += 1
    }
  return at
}
