import { rules } from '../../../routers/core/rules.ts'
import { delimiterOf, splitCells } from './delimited-text.ts'

/** A larger file can't fit into a record. */
const MAX_BYTES = 4 * rules.data.value_max_bytes

/** Decodes UTF-8, or the Windows-1252 that older spreadsheets write. */
const decode = (bytes: ArrayBuffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * Reads a CSV file with commas, semicolons or tabs. Empty lines are skipped.
 *
 * @returns the cells of the header and of each row, or a sentence that says why the file cannot be imported
 */
export const readCsv = async (file: File): Promise<string[][] | string> => {
  if (file.size > MAX_BYTES) return `${file.name} is too large for a record.`
  const text = decode(await file.arrayBuffer())
  if (text.includes('\0')) return `${file.name} is not a CSV file.`
  const lines = splitCells(text, delimiterOf(text)).filter(line => line.some(cell => cell !== ''))
  return lines.length < 2 ? `${file.name} has no rows below its header.` : lines
}
