import { MARK_ATTRIBUTE, type PageMarks } from '../../api/renderer.ts'
import { sanitize } from '../sanitize/sanitize.ts'
import { withMarks } from './marks.ts'
import type { Piece } from './trace.ts'

const WRITTEN_MARK = new RegExp(` ${MARK_ATTRIBUTE}="\\d+"`, 'g')

/**
 * Marks the elements of a document as readers get it.
 *
 * @param html the evaluated document
 * @param shown the document that readers get
 * @param pieces what wrote `html`
 * @returns undefined unless the document without its marks is exactly the document that readers get: in a page with
 * unclosed elements, marks could change what a parser makes of it
 */
export function markedDocument(
  page: { slug: string; kind: 'scripted' | 'static' },
  html: string,
  shown: string,
  pieces: readonly Piece[],
): { html: string; marks: PageMarks } | undefined {
  const marked = withMarks(html, pieces, page)
  const document = page.kind === 'static' ? sanitize(marked.html) : marked.html
  return document.replace(WRITTEN_MARK, '') === shown ? { html: document, marks: marked.marks } : undefined
}
