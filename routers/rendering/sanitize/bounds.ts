/**
 * Limits on the size of the parsed and written page. HTML parsers and serializers can produce far more than the source
 * contains: an unclosed `<b title="…">` is opened again in every following paragraph.
 */
import type { DefaultTreeAdapterMap, TreeAdapter } from 'parse5'
import { defaultTreeAdapter } from 'parse5'

/** A parser or serializer would produce far more than the page contains. */
export class PageTooComplex extends Error {
  override name = 'PageTooComplex'
}

// Maximum number of elements in a page: one for every two characters of the source, plus some spare elements. The start
// tags in the source cannot reach this maximum, because the shortest start tag has three characters. But the parser
// adds elements: it inserts implied elements, and it opens unclosed elements again. The spare elements are for small
// pages, in which a larger share of the elements is implied.
const charactersPerElement = 2
const spareElements = 1000

// Escaping can make the output six times as long. The factor is higher because the output can also repeat elements: if
// an author forgot to close an element, the parser opens the element again in later paragraphs.
const growth = 8
const spareLength = 65_536

/** The longest output allowed for a source of `sourceLength`, both in UTF-16 units. */
export function longestOutput(sourceLength: number): number {
  return sourceLength * growth + spareLength
}

/** A tree adapter that throws PageTooComplex when a source of `sourceLength` produces too many elements. */
export function boundedTree(sourceLength: number): TreeAdapter<DefaultTreeAdapterMap> {
  let left = sourceLength / charactersPerElement + spareElements
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespaceURI, attrs) {
      if (left-- <= 0) throw new PageTooComplex('The page opens too many elements')
      return defaultTreeAdapter.createElement(tagName, namespaceURI, attrs)
    },
  }
}
