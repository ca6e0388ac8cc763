import { rules } from '../../../routers/api/rules.ts'
import { delimiterOf, splitCells } from './delimited-text.ts'

/** A larger file can't fit into a record. */
const MAX_BYTES = 4 * rules.data.value_max_bytes

/** Decodes UTF-8, the UTF-16 of Excel's "Unicode Text", or the Windows-1252 that older spreadsheets write. */
const decode = (buffer: ArrayBuffer): string => {
  const [first, second] = new Uint8Array(buffer)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(buffer)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(buffer)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer)
  } catch {
    return new TextDecoder('windows-1252').decode(buffer)
  }
}

/** The first line with which a file tells Excel its delimiter. */
const DELIMITER_LINE = /^(?:sep=(.)|"sep=(.)") *(?:\r\n|\r|\n)/i

/**
 * Reads a CSV file with commas, semicolons or tabs, or with the delimiter that its first line names. Empty lines are
 * skipped.
 *
 * @returns the cells of the header and of each row, or a sentence that says why the file cannot be imported
 */
export const readCsv = async (file: File): Promise<string[][] | string> => {
  if (file.size > MAX_BYTES) return `${file.name} is too large for a record.`
  const text = decode(await file.arrayBuffer())
  if (text.includes('\0')) return `${file.name} is not a CSV file.`
  const [line = '', bare, quoted] = DELIMITER_LINE.exec(text) ?? []
  const table = text.slice(line.length).replace(/^[\r\n]+/, '')
  const lines = splitCells(table, bare ?? quoted ?? delimiterOf(table)).filter(cells =>
    cells.some(cell => cell !== ''),
  )
  return lines.length < 2 ? `${file.name} has no rows below its header.` : lines
}
