import type { Token } from 'liquidjs'
import type { TemplateError } from '../../api/renderer.ts'

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

/**
 * A value that a filter cannot work with, such as a divisor of zero. As in Shopify, the page shows the message in place
 * of the tag or output, and the rest of the page as usual.
 */
export class ValueError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ValueError'
  }
}
