import { z } from 'zod'

/** The token of a link's fragment. Any text may be tried; what is too long is no token. */
export const linkToken = z.string().max(100, { error: 'is not complete, or is something else' })
