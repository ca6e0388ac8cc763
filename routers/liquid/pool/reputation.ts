import type { RenderRequest, TemplateError } from '../../core/renderer.ts'
import type { Evaluated } from '../messages.ts'
import type { Standing } from './job.ts'
import { Known } from './known.ts'
import { CUT_OFF, SLOW, Strikes } from './strikes.ts'

/** An evaluation that takes more processor time than this, in ms, is remembered even if it ends well. */
const SLOW_MS = 125

/** A page that takes no more of it than this, parsing included, in ms, holds up nobody who waits behind it. */
const QUICK_MS = 40

/** Pages that are remembered as quick. */
const QUICK = 8192

/** What is known of pages from their last evaluations. */
export class Reputation {
  private readonly strikes = new Strikes()
  private readonly quick = new Known(QUICK)

  /** Of a page whose reader comes. */
  standingOf(request: RenderRequest): Standing {
    if (this.strikes.isConfined(request)) return 'confined'
    return this.quick.has(request.page.id) ? 'quick' : 'unproven'
  }

  /** The error of a page that has failed so often and so lately that trying again would be a waste. */
  certainError(request: RenderRequest): TemplateError | undefined {
    return this.strikes.isResting(request) ? this.strikes.lastError(request) : undefined
  }

  /** The error that a page ended with again and again, if it did. */
  likelyError(request: RenderRequest): TemplateError | undefined {
    return this.strikes.lastError(request)
  }

  /**
   * A child has evaluated a page, with so many ms of processor time. Only one that had to parse it as well shows
   * whether the page is quick: the next child may have to do that again.
   */
  evaluated(request: RenderRequest, { outcome, spent, parsed }: Evaluated): void {
    const error = outcome.ok ? undefined : outcome.error
    if (error?.kind === 'timeout') this.failed(request, error)
    else if (spent > SLOW_MS) this.blame(request, SLOW, error)
    else {
      this.strikes.forgive(request)
      if (spent > QUICK_MS) this.quick.delete(request.page.id)
      else if (parsed) this.quick.add(request.page.id)
    }
  }

  /** A page was cut off, or took its child with it. */
  failed(request: RenderRequest, error: TemplateError): void {
    this.blame(request, CUT_OFF, error)
  }

  private blame(request: RenderRequest, weight: number, error: TemplateError | undefined): void {
    this.quick.delete(request.page.id)
    this.strikes.add(request, weight, error)
  }
}
