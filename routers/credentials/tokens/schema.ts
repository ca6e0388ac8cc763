import { z } from 'zod'
import type { listUserTokens } from '../../../db/queries/user-tokens.ts'
import { clientFields, clientFieldsOf } from '../connected-client.ts'
import { credentialFields, timestampsOf } from '../schema.ts'

/** A token as its owner sees it. The token of a connected app is refreshed, so its `expires_at` is null. */
export const Token = z.object({ ...credentialFields, ...clientFields })

/** A token with its secret, which is returned only once. */
export const NewToken = Token.extend({ secret: z.string() })

type Row = Awaited<ReturnType<typeof listUserTokens>>[number]

export const toToken = ({ redirect_uris, ...row }: Row): z.output<typeof Token> => ({
  ...row,
  ...timestampsOf(row),
  ...clientFieldsOf(row, redirect_uris),
})
