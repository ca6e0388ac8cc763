interface Cell {
  textContent: string | null
}

export interface Table {
  rows: Iterable<{ cells: Iterable<Cell> }>
}

/** Returns the Markdown of a pasted table, with the text of its cells. The first row becomes its head. */
export const tableMarkdown = (table: Table): string => {
  const rows = [...table.rows].map(({ cells }) =>
    [...cells].map(({ textContent }) =>
      (textContent ?? '').replace(/\s+/g, ' ').trim().replace(/[\\|]/g, '\\$&'),
    ),
  )
  const width = Math.max(1, ...rows.map(row => row.length))
  const lines = (rows.length > 0 ? rows : [[]]).map(
    row => `| ${Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ')} |`,
  )
  return [lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n')
}
