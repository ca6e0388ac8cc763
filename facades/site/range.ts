/** A byte range, both ends included. */
export interface Range {
  start: number
  end: number
}

/**
 * Parses a `Range` header with a single byte range (RFC 9110, 14.1.2). Returns null when the header is to be ignored:
 * another unit, malformed, or several ranges.
 *
 * @param size size of the file in bytes, at least 1
 */
export const parseRange = (header: string, size: number): Range | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Number(last)
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start < size ? { start, end } : 'unsatisfiable'
}
