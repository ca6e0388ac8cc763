import type { Liquid } from 'liquidjs'
import { DATE_FILTERS } from './dates.ts'
import { ENCODING_FILTERS } from './encoding.ts'
import { ESCAPING_FILTERS } from './escaping.ts'
import { LIST_FILTERS } from './lists.ts'
import { MONEY_FILTERS } from './money.ts'
import { NUMBER_FILTERS } from './numbers.ts'
import { SELECTION_FILTERS } from './selection.ts'
import { STRUCTURE_FILTERS } from './structures.ts'
import { TEXT_FILTERS } from './text.ts'

/** Filters that liquidjs lacks, or that behave differently in liquidjs than authors expect. */
export const CUSTOM_FILTERS: Liquid['filters'] = {
  ...DATE_FILTERS,
  ...ENCODING_FILTERS,
  ...ESCAPING_FILTERS,
  ...LIST_FILTERS,
  ...MONEY_FILTERS,
  ...NUMBER_FILTERS,
  ...SELECTION_FILTERS,
  ...STRUCTURE_FILTERS,
  ...TEXT_FILTERS,
}
