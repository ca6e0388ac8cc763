import { z } from 'zod'
import type { Role } from '../../../db/queries/participants.ts'

/** What a participant may do: owners everything, editors only change the content of the site. */
export const role = z.enum(['owner', 'editor'] as const satisfies Role[])
