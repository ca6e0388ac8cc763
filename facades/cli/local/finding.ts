/** Something about a folder that its author should know. */
export interface Finding {
  file: string
  /** From 1; null if the place is not known. */
  line: number | null
  column: number | null
  message: string
  /** A note describes what is allowed and often intended, such as an entry of a list that differs from the others. */
  kind: 'problem' | 'note'
}

/** Returns the line and column, both from 1, of an offset in a text. */
export const positionAt = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}

/** Returns a finding as a line that editors and CI systems understand. */
export const findingText = ({ file, line, column, message, kind }: Finding): string =>
  `${[file, line, line === null ? null : column].filter(part => part !== null).join(':')}${line === null ? ':' : ''} ${kind === 'note' ? 'note: ' : ''}${message}`
