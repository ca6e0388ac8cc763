import type { Sql } from '../../db/orm.ts'
import { findSpaceKey } from '../../db/queries/space-keys.ts'
import { findUserToken } from '../../db/queries/user-tokens.ts'
import type { SpaceKeyActor, UserTokenActor } from '../core/actor.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../core/scopes.ts'
import { suspensionOf } from './suspension.ts'

/** Returns the credential in an `Authorization` header, or null when it is not a Bearer header. */
export const bearer = (authorization: string | undefined): string | null =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null

const hasExpired = ({ expires_at }: { expires_at: Date | null }) =>
  expires_at !== null && expires_at.getTime() <= Date.now()

/**
 * Whether the credential belongs to a client that was connected before resources were stored. The client has to be
 * connected again, because nobody knows what the person agreed to.
 */
const isOutdated = ({ client_id, resource }: { client_id: string | null; resource: string | null }) =>
  client_id !== null && resource === null

/**
 * Authenticates a space key by its hash.
 *
 * @returns null for an invalid key, without the reason (contract: "Authentication", 4)
 */
export const spaceKeyActor = async (db: Sql, hash: Buffer): Promise<SpaceKeyActor | null> => {
  const row = await findSpaceKey(db, hash)
  if (!row || hasExpired(row) || isOutdated(row)) return null
  return {
    kind: 'space_key',
    keyId: row.key_id,
    secretHash: hash,
    firstId: row.first_id,
    label: row.label,
    accountId: row.account_id,
    clientId: row.client_id,
    resource: row.resource,
    agentName: row.agent_name,
    scopes: SPACE_SCOPES.filter(scope => row.scopes.includes(scope)),
    space: { id: row.space_id, subdomain: row.subdomain, name: row.name, iconId: row.icon_id },
  }
}

/**
 * Authenticates a user token by its hash.
 *
 * @returns null for an invalid token, without the reason (contract: User API, "Authentication", 5)
 */
export const userTokenActor = async (db: Sql, hash: Buffer): Promise<UserTokenActor | null> => {
  const row = await findUserToken(db, hash)
  if (!row || hasExpired(row) || isOutdated(row)) return null
  return {
    kind: 'user_token',
    tokenId: row.token_id,
    secretHash: hash,
    label: row.label,
    accountId: row.account_id,
    clientId: row.client_id,
    resource: row.resource,
    agentName: row.agent_name,
    handle: row.handle,
    ...suspensionOf(row),
    scopes: USER_SCOPES.filter(scope => row.scopes.includes(scope)),
  }
}
