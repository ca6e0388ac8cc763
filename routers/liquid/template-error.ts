/** Why a page could not be shown, told to whoever opens it (contract: template evaluation, syntax errors). */
export interface TemplateError {
  /** Also the value of the answer's `X-Template-Error` header. */
  kind: 'syntax' | 'timeout' | 'missing_part' | 'render' | 'too_large'
  message: string
  /** How to mend it. */
  advice: string
  where: { body: 'page' | 'part'; name: string }
  /** From 1; null where no place is known. */
  line: number | null
  column: number | null
  /** The source line, shortened around the place where it is long. */
  excerpt: string | null
}
