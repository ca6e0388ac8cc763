import { id, offset, oneOf, searchParams } from '../shell/search-params.ts'

/** The names of the examples. Their texts are in `examples.ts`, which the first view does not load. */
export const EXAMPLE_NAMES = ['welcome', 'gallery', 'counter'] as const

export type ExampleName = (typeof EXAMPLE_NAMES)[number]

/**
 * Validates the search parameters of the page editor: the draft of a new page, and the name of the example that it starts
 * with; and the offset in the body at which the editor opens.
 */
export const newPageSearch = searchParams({ draft: id, example: oneOf(EXAMPLE_NAMES), at: offset })
