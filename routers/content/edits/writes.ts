import type { z } from 'zod'
import type { ManyWrites } from './schema.ts'

/** The input of a write of many items. */
export type Input = z.output<typeof ManyWrites>

/** An item to write. */
interface Placed {
  /** The input field of the item, for errors. */
  place: string
  /** When the item was last changed, if its new body was made from the one that was stored then. */
  read?: Date
}

export type PageWrite = Input['pages'][number] & Placed
export type PartWrite = Input['parts'][number] & Placed
export type RecordWrite = Input['records'][number] & Placed

/** The items that a call writes. */
export interface Writes {
  pages: PageWrite[]
  parts: PartWrite[]
  records: RecordWrite[]
}
