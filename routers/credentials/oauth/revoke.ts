import { deleteGrantByAccessToken, deleteGrantByFamily } from '../../../db/queries/oauth.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { hashSecret, isSecret } from '../../api/secret.ts'
import { recordEnded } from '../record-ended.ts'
import { familyOf } from './secrets.ts'

/**
 * Revokes the grant of an access or refresh token at the client's request (RFC 7009). Unknown tokens and tokens of
 * other clients are ignored.
 */
export const revoke = async (core: Core, clientId: string, token: string): Promise<void> => {
  const family = familyOf(token)
  const kind = isSecret('space_key', token) ? 'space_key' : 'user_token'
  await inTransaction(core.database, async sql => {
    const ended = await (family === null
      ? deleteGrantByAccessToken(sql, kind, clientId, hashSecret(token))
      : deleteGrantByFamily(sql, clientId, hashSecret(family)))
    await recordEnded(sql, ended, 'app')
  })
}
