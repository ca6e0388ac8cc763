import type { TemplateError } from '../../core/renderer.ts'
import { overrun } from '../engine/budget.ts'

function error(slug: string, kind: TemplateError['kind'], message: string, advice: string): TemplateError {
  return {
    kind,
    message,
    advice,
    where: { body: 'page', name: slug },
    line: null,
    column: null,
    excerpt: null,
  }
}

/** Of a page that could only be stopped from outside. */
export function overrunError(slug: string): TemplateError {
  const { kind, message, advice } = overrun()
  return error(slug, kind, message, advice)
}

/** Of a page that used up all memory of its process. */
export function outOfMemoryError(slug: string): TemplateError {
  return error(
    slug,
    'too_large',
    'The template needs more memory than it may have and was stopped.',
    'Work on smaller lists or texts, and check that a list is not put into itself again and again.',
  )
}

/** Of a page that lost its process more than once. */
export function lostError(slug: string): TemplateError {
  return error(
    slug,
    'timeout',
    'The evaluation was interrupted more than once.',
    'Open the page again; if this stays, make its template do less work.',
  )
}
