import type { CodeLanguage } from './code-editor-props.ts'

/** The text of one version. */
export interface Side {
  /** The version's name: "Their version", "Your version". */
  name: string
  text: string
  /** Undefined for plain text. */
  language: CodeLanguage | undefined
  /** The format's name, set if the two versions have different formats. */
  format?: string
}
