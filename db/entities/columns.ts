import { p } from '@mikro-orm/core'

/** A point in time, to the millisecond, as the APIs show it. */
export const instant = () => p.datetime(3)

/** An id made by `newId`. */
export const id = () => p.text().collation('C')

/** Names that lists are ordered by: the "C" collation orders by code point on every server. */
export const name = () => p.text().collation('C')
