import { format } from 'jsonc-parser'

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
