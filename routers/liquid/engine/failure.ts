import type { Token } from 'liquidjs'
import type { TemplateError } from '../../core/renderer.ts'

/** Kinds of template errors; also the values of the response's `X-Template-Error` header. */
export type FailureKind = TemplateError['kind']

/** A failure with a message and advice written for the template's author. */
export class TemplateFailure extends Error {
  readonly kind: FailureKind
  readonly advice: string
  /** The innermost tag or output that failed. */
  token: Token | undefined
  /** The name of a missing part as written in the template, and the existing name that the author probably meant. */
  correction?: { written: string; nearest: string }

  constructor(kind: FailureKind, message: string, advice: string, token?: Token) {
    super(message)
    this.name = 'TemplateFailure'
    this.kind = kind
    this.advice = advice
    this.token = token
  }
}
