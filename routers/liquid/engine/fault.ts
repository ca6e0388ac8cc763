import type { Token } from 'liquidjs'
import type { TemplateError } from '../../core/renderer.ts'

/** What can be wrong with a template; the same words go into the answer's `X-Template-Error` header. */
export type FaultKind = TemplateError['kind']

/** A fault of a template that we found ourselves: its message and advice are written for the template's author. */
export class TemplateFault extends Error {
  readonly kind: FaultKind
  readonly advice: string
  /** Where it happened, filled in by the innermost tag or output that was being worked on. */
  token: Token | undefined

  constructor(kind: FaultKind, message: string, advice: string, token?: Token) {
    super(message)
    this.name = 'TemplateFault'
    this.kind = kind
    this.advice = advice
    this.token = token
  }
}
