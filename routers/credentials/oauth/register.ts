import {
  countNewOauthClients,
  deleteIdleOauthClients,
  evictOauthClient,
  insertOauthClient,
  lockClientRegistration,
} from '../../../db/queries/oauth.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { networkOf } from '../../api/rate-limit.ts'
import { randomText } from '../../api/secret.ts'
import { displayName, readMetadata } from './client-metadata.ts'
import { OauthError } from './error.ts'

const DAY = 24 * 60 * 60 * 1000

/** How long a registration without any approval is kept, in ms. */
const UNUSED = DAY
/** How long an approved registration without any token is kept, in ms. */
const IDLE = 90 * DAY
/** Maximum number of registrations that were never approved. Beyond it, the network that has the most loses its oldest. */
const MAX_UNUSED = 10_000

/** Response to a registration (RFC 7591, 3.2.1). */
export interface Registration {
  client_id: string
  client_id_issued_at: number
  client_name: string
  redirect_uris: string[]
  grant_types: string[]
  response_types: string[]
  token_endpoint_auth_method: 'none'
}

/**
 * Registers a client that has no metadata document. The client gets no secret, because a program on a person's machine
 * could not protect it; PKCE binds authorization codes to the client instead.
 *
 * @param address network address whose registrations are limited
 * @throws OauthError `invalid_redirect_uri`, `invalid_client_metadata`, `temporarily_unavailable`
 */
export const register = async (core: Core, address: string, metadata: unknown): Promise<Registration> => {
  const { refused, reset } = await core.oauth.registrations.consume(address)
  if (refused)
    throw new OauthError('temporarily_unavailable', `Too many registrations; wait ${reset} s`, reset)
  const { redirect_uris, client_name } = readMetadata(metadata)
  const now = new Date()
  const { narrow, wide } = networkOf(address)
  const client = {
    id: randomText(22),
    name: displayName(client_name),
    redirect_uris,
    created_at: now,
    network: wide ?? narrow,
  }
  await inTransaction(core.database, async sql => {
    await lockClientRegistration(sql)
    await deleteIdleOauthClients(sql, new Date(now.getTime() - UNUSED), new Date(now.getTime() - IDLE))
    if ((await countNewOauthClients(sql)) >= MAX_UNUSED) await evictOauthClient(sql)
    await insertOauthClient(sql, client)
  })
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    client_name: client.name,
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
