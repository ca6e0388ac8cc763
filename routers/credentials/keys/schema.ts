import { z } from 'zod'
import type { listSpaceKeys } from '../../../db/queries/space-keys.ts'
import { clientFields, clientFieldsOf } from '../connected-client.ts'
import { credentialFields, timestampsOf } from '../schema.ts'

/** A key as participants see it. The key of a connected app is refreshed, so its `expires_at` is null. */
export const Key = z.object({ ...credentialFields, ...clientFields, issuer: z.string() })

/** A key with its secret, which is returned only once. */
export const NewKey = Key.extend({ secret: z.string() })

type Row = Awaited<ReturnType<typeof listSpaceKeys>>[number]

export const toKey = ({ redirect_uris, ...row }: Row): z.output<typeof Key> => ({
  ...row,
  ...timestampsOf(row),
  ...clientFieldsOf(row, redirect_uris),
})
