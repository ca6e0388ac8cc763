import { p } from '@mikro-orm/core'

/** A timestamp with a precision of milliseconds, as in the APIs. */
export const instant = () => p.datetime(3)

/** An id from `newId`. */
export const id = () => p.text().collation('C')

/** A name by which lists are sorted. With the "C" collation, every server sorts names by code point. */
export const name = () => p.text().collation('C')
