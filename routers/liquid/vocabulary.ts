import { filters, tags } from 'liquidjs'
import { OWN_FILTERS } from './engine/own-filters.ts'
import { OWN_TAGS } from './engine/tags.ts'

const sorted = (...registered: object[]): string[] =>
  [...new Set(registered.flatMap(names => Object.keys(names)))].sort()

/** The words of the template language: whatever the engine registers. */
export const vocabulary = { tags: sorted(tags, OWN_TAGS), filters: sorted(filters, OWN_FILTERS) }
