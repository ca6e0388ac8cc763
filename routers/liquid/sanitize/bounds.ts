/**
 * Bounds on how much a page may ask for. HTML has ways to make a parser build, and a writer repeat, far more than was
 * written: an unclosed `<b title="…">` comes back in every paragraph after it.
 */
import type { DefaultTreeAdapterMap, TreeAdapter } from 'parse5'
import { defaultTreeAdapter } from 'parse5'

/** The page opens so many elements, or repeats so much, that it cannot be shown without taking time from others. */
export class PageTooComplex extends Error {
  override name = 'PageTooComplex'
}

// The shortest start tag has three characters, so half as many elements as characters leaves room for what is implied
// or opened again; small pages may have more of that.
const charactersPerElement = 2
const spareElements = 1000

// Escaping makes a character six at most; the rest is for repeated elements that authors forgot to close.
const growth = 8
const spareLength = 65_536

/** The longest text, in UTF-16 units, that may be written for a source of `sourceLength`. */
export function longestOutput(sourceLength: number): number {
  return sourceLength * growth + spareLength
}

/** A tree builder that throws PageTooComplex once a source of `sourceLength` has led to too many elements. */
export function boundedTree(sourceLength: number): TreeAdapter<DefaultTreeAdapterMap> {
  let left = sourceLength / charactersPerElement + spareElements
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespaceURI, attrs) {
      if (left-- <= 0) {
        throw new PageTooComplex('The page opens far more elements than it has tags: close what you open.')
      }
      return defaultTreeAdapter.createElement(tagName, namespaceURI, attrs)
    },
  }
}
