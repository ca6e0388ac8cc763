import { TemplateFault } from './fault.ts'

/** Time for one evaluation, in ms (contract: limits). */
export const EVALUATION_MS = 250

/** Characters that one evaluation may write, captures included. */
export const OUTPUT_LIMIT = 4 * 1024 * 1024

/**
 * Units of work on values: about one per character or list element that a filter makes. It keeps what a template
 * can hold on to well below the heap of a child, so that running into it ends in an explanation, not in a crash.
 */
const MEMORY_LIMIT = 16_000_000

/** How deep parts, blocks and loops may stand in each other while rendering. */
const DEPTH_LIMIT = 300

/**
 * What one evaluation may still use. Stands in for both limiters of liquidjs, which know neither captures nor depth.
 */
export class Budget {
  private written = 0
  private used = 0
  private depth = 0
  /** Whether the result may be another one next time, with everything else as it is. */
  varies = false

  /** Charges output. Throws a {@link TemplateFault} when there is too much of it. */
  write(characters: number): void {
    this.written += characters
    if (this.written > OUTPUT_LIMIT) {
      throw new TemplateFault(
        'too_large',
        `The result grows beyond ${OUTPUT_LIMIT.toLocaleString('en-US')} characters.`,
        'Print less: shorten loops, and check that a captured text does not contain itself again and again.',
      )
    }
  }

  /** Charges work on values; liquidjs calls this with whatever number it comes up with. */
  use(count: number): void {
    if (!(count > 0)) return
    this.used += count
    if (this.used > MEMORY_LIMIT) {
      throw new TemplateFault(
        'too_large',
        'The template works on more text and list elements than it may hold.',
        'Work on smaller lists or texts: filter a list before sorting or joining it, and keep ranges short.',
      )
    }
  }

  /** liquidjs's own look at the clock, which the guard around every evaluation makes needless. */
  check(): void {}

  enter(): void {
    this.depth += 1
    if (this.depth > DEPTH_LIMIT) throw tooDeep()
  }

  leave(): void {
    this.depth -= 1
  }
}

/** The fault of an evaluation that ran out of time. */
export function overrun(): TemplateFault {
  return new TemplateFault(
    'timeout',
    `The template took longer than ${EVALUATION_MS} ms and was stopped.`,
    'Do less work in it: loop over fewer elements, use limit on loops, avoid loops inside loops over long lists.',
  )
}

export function tooDeep(): TemplateFault {
  return new TemplateFault(
    'render',
    'Parts or tags are nested too deeply here.',
    'A part that includes itself by a name in a variable never ends: check where the name comes from.',
  )
}
