import { p } from '@mikro-orm/core'

/** A timestamp with a precision of milliseconds, as in the APIs. */
export const instant = () => p.datetime(3)

/** An id from `newId`. */
export const id = () => p.text().collation('C')

/** A name that lists are sorted by: the "C" collation sorts by code point on every server. */
export const name = () => p.text().collation('C')
