import { deleteGrantByFamily, deleteGrantByToken } from '../../../db/queries/oauth-grants.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { hashSecret } from '../../access/secret.ts'
import type { Core } from '../../core/context.ts'
import { familyOf } from './secrets.ts'

/**
 * A client gives its grant back: access token and refresh token end at once (RFC 7009). What is no token of this
 * client's is passed over without a word.
 */
export const revoke = async (core: Core, clientId: string, token: string): Promise<void> => {
  const family = familyOf(token)
  await inTransaction(core.orm, sql =>
    family === null
      ? deleteGrantByToken(sql, clientId, hashSecret(token))
      : deleteGrantByFamily(sql, clientId, hashSecret(family)),
  )
}
