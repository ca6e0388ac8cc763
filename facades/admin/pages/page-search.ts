import { id, oneOf, searchParams } from '../shell/search-params.ts'

/** The names of the examples. Their texts are in `examples.ts`, which the first view does not load. */
export const EXAMPLE_NAMES = ['welcome', 'gallery', 'counter'] as const

export type ExampleName = (typeof EXAMPLE_NAMES)[number]

/** Validates the search parameters of a new page: its draft, and the name of the example that it starts with. */
export const newPageSearch = searchParams({ draft: id, example: oneOf(EXAMPLE_NAMES) })
