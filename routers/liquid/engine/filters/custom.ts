import type { Liquid } from 'liquidjs'
import { ESCAPING_FILTERS } from './escaping.ts'
import { LIST_FILTERS } from './lists.ts'
import { NUMBER_FILTERS } from './numbers.ts'
import { SELECTION_FILTERS } from './selection.ts'
import { TEXT_FILTERS } from './text.ts'

/** Filters that liquidjs lacks, or that behave differently in liquidjs than authors expect. */
export const CUSTOM_FILTERS: Liquid['filters'] = {
  ...ESCAPING_FILTERS,
  ...LIST_FILTERS,
  ...NUMBER_FILTERS,
  ...SELECTION_FILTERS,
  ...TEXT_FILTERS,
}
