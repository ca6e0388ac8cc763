import { z } from 'zod'
import type { listSpaceKeys } from '../../../db/queries/space-keys.ts'
import { credentialFields, timestampsOf } from '../schema.ts'

/** A key as participants see it. */
export const Key = z.object({ ...credentialFields, issuer: z.string() })

/** A key with its secret, which is returned only once. */
export const NewKey = Key.extend({ secret: z.string() })

export const toKey = (row: Awaited<ReturnType<typeof listSpaceKeys>>[number]): z.output<typeof Key> => ({
  ...row,
  ...timestampsOf(row),
})
