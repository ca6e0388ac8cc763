/**
 * Splits the text of a CSV file, or the tab-separated text that spreadsheets copy, into rows of cells (RFC 4180).
 * Quotes have a meaning only at the start of a cell. A line break at the end of the text adds no row.
 *
 * @param delimiter one character
 */
export const splitCells = (text: string, delimiter: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length || row.length > 0) {
    let cell = ''
    if (text[at] === '"') {
      at += 1
      for (;;) {
        const quote = text.indexOf('"', at)
        // If the closing quote is missing, the cell extends to the end of the text.
        const end = quote === -1 ? text.length : quote
        cell += text.slice(at, end)
        at = end + 1
        if (text[at] !== '"') break
        cell += '"'
        at += 1
      }
    }
    let end = at
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
    cell += text.slice(at, end)
    at = end
    row.push(cell)
    if (text[at] === delimiter) {
      at += 1
      continue
    }
    rows.push(row)
    row = []
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
  }
  return rows
}

const DELIMITERS = [',', ';', '\t']

/** Returns the delimiter of a CSV file: the one that splits its first row into the most cells. */
export const delimiterOf = (text: string): string => {
  const cells = DELIMITERS.map(delimiter => splitCells(text.slice(0, 20_000), delimiter)[0]?.length ?? 0)
  return DELIMITERS[cells.indexOf(Math.max(...cells))]!
}
