export interface UnifiedMergeProps {
  /** Their text. It never changes. */
  theirs: string
  /** My text when the conflict was found. */
  mine: string
  /** Called with my text after each change. */
  onChange: (mine: string) => void
  label: string
}
