import type { Token } from 'liquidjs'
import { limits } from '../../api/rules.ts'
import { TemplateFailure } from './failure.ts'
import type { Trace } from './trace.ts'

/** Processor time for each phase of a job (parsing, evaluating, sanitizing), in ms (contract: limits). */
export const CPU_LIMIT_MS = limits.pageCpu

/**
 * Processor time in one phase, in ms. A job that uses more is interrupted if its speed is unknown and other jobs wait.
 * The interrupted job starts over later. Jobs of unknown speed are called `unproven` (see workers/job.ts).
 */
export const FIRST_TURN_MS = 60

/** Characters that one evaluation may write, captures included. */
export const OUTPUT_LIMIT = 4 * 1024 * 1024

/**
 * Maximum units of work on values: about one unit per character or list element that a filter creates. Keeps the memory
 * of a template well below the worker's heap limit, so that an excessive template gets an error message and does not
 * crash the worker.
 */
const MEMORY_LIMIT = 16_000_000

/** Maximum number of noted errors. */
const MAX_NOTED = 20

/** Maximum nesting depth of parts, blocks and loops during evaluation. */
const DEPTH_LIMIT = 300

/**
 * The output, work and depth that one evaluation may still use. Replaces both limiters of liquidjs, which count
 * neither captures nor depth.
 */
export class Budget {
  private written = 0
  private used = 0
  private depth = 0
  /**
   * Whether the next evaluation can give a different result even if the space has not changed, because the template
   * uses the clock or random values.
   */
  isUnstable = false
  /** Tags and outputs that show an error in their place; see `ValueError`. */
  readonly valueErrors = new Map<Token, string>()
  /** Set only while a draft is evaluated for its editor. */
  readonly trace: Trace | undefined

  constructor(trace?: Trace) {
    this.trace = trace
  }

  /** Charges output. Throws a {@link TemplateFailure} when it exceeds the limit. */
  write(characters: number): void {
    this.written += characters
    if (this.written > OUTPUT_LIMIT) {
      throw new TemplateFailure(
        'too_large',
        `The page's output is longer than ${OUTPUT_LIMIT.toLocaleString('en-US')} characters.`,
        'Print less: limit your loops, and check that no loop captures a variable into itself.',
      )
    }
  }

  /**
   * Counts units of work on values. Throws a {@link TemplateFailure} if there were too many. liquidjs also calls this
   * function, sometimes with zero or a negative number.
   */
  use(count: number): void {
    if (!(count > 0)) return
    this.used += count
    if (this.used > MEMORY_LIMIT) {
      throw new TemplateFailure(
        'too_large',
        'The template processes more text and list items than allowed.',
        'Work on shorter lists and texts: filter a list before you sort or join it, and keep ranges short.',
      )
    }
  }

  /** Disables liquidjs's own time check; the guard around every evaluation replaces it. */
  check(): void {}

  /** Notes that a tag or output shows an error in its place. */
  note(token: Token, message: string): void {
    if (this.valueErrors.size < MAX_NOTED) this.valueErrors.set(token, message)
  }

  enter(): void {
    this.depth += 1
    if (this.depth > DEPTH_LIMIT) throw tooDeep()
  }

  leave(): void {
    this.depth -= 1
  }
}

/** The failure of an evaluation that ran out of time. */
export function evaluationTimeout(): TemplateFailure {
  return new TemplateFailure(
    'timeout',
    `The template used more than ${CPU_LIMIT_MS} ms of processor time and was stopped.`,
    'Make it do less: loop over fewer items with limit, and avoid loops inside loops over long lists.',
  )
}

/**
 * The failure of a static page whose unclosed elements would produce too much markup: a parser opens an unclosed
 * element again in every following paragraph.
 */
export function tooComplex(): TemplateFailure {
  return new TemplateFailure(
    'too_large',
    'This page has unclosed elements. Browsers repeat them in later paragraphs, which makes the page too large.',
    'Close every element that you open, for example <b> with </b>.',
  )
}

export function tooDeep(): TemplateFailure {
  return new TemplateFailure(
    'render',
    'Parts or tags are nested too deeply here.',
    'A part probably includes itself through a variable. Check where the name in that variable comes from.',
  )
}
