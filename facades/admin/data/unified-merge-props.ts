export interface UnifiedMergeProps {
  /** The text that someone else saved. When it changes, the editor starts over. */
  theirs: string
  /** My text when the conflict was found. */
  mine: string
  /** Called with my text after each change. */
  onChange: (mine: string) => void
  label: string
}
