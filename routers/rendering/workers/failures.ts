import type { TemplateError } from '../../api/renderer.ts'
import { evaluationTimeout } from '../engine/budget.ts'

function failure(slug: string, kind: TemplateError['kind'], message: string, advice: string): TemplateError {
  return {
    kind,
    isInSource: false,
    message,
    advice,
    where: { body: 'page', name: slug },
    line: null,
    column: null,
    excerpt: null,
  }
}

/** The error of a page that took so long that its process had to be killed. */
export function timeoutError(slug: string): TemplateError {
  const { kind, message, advice } = evaluationTimeout()
  return failure(slug, kind, message, advice)
}

/** The error of a page that crashed its process or exhausted its memory. */
export function outOfMemoryError(slug: string): TemplateError {
  return failure(
    slug,
    'too_large',
    'The template ran out of memory and was stopped.',
    'Work on shorter lists and texts, and check that no list or text is added to itself inside a loop.',
  )
}

/** The error of a page whose evaluation was interrupted repeatedly, for reasons other than its time or memory. */
export function interruptedError(slug: string): TemplateError {
  return failure(
    slug,
    'timeout',
    'The evaluation of this page was interrupted more than once.',
    'Reload the page. If this keeps happening, make the template do less work.',
  )
}
