import { z } from 'zod'

/** The token in the fragment of a link. Any short text is accepted and looked up. */
export const linkToken = z.string().max(100, { error: 'is not a token from a link' })
