import { sqlOf } from '../../../db/orm.ts'
import {
  countNewOauthClients,
  deleteIdleOauthClients,
  insertOauthClient,
} from '../../../db/queries/oauth-clients.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { randomText } from '../../access/secret.ts'
import type { Core } from '../../core/context.ts'
import { readMetadata, shownName } from './client.ts'
import { OauthError } from './error.ts'

const DAY = 24 * 60 * 60 * 1000

/** Milliseconds that a registration is kept which nobody lets in, and one of which no token is left. */
const UNUSED = DAY
const IDLE = 90 * DAY
/** Most registrations that nobody has let in yet, of all callers together. */
const MOST_NEW = 10_000

/** What a client is told when it has registered (RFC 7591, 3.2.1). */
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
 * Registers a client that cannot be named by an address. It gets no secret, whatever it asks for: a program on
 * somebody's machine cannot keep one, and its codes are bound to it by PKCE.
 *
 * @param address network address that registrations are counted by
 * @throws OauthError `invalid_redirect_uri`, `invalid_client_metadata`, `temporarily_unavailable`
 */
export const register = async (core: Core, address: string, said: unknown): Promise<Registration> => {
  const { refused, reset } = await core.oauth.registrations.consume(address)
  if (refused)
    throw new OauthError('temporarily_unavailable', `Too many registrations; wait ${reset} s`, reset)
  const { redirect_uris, client_name } = readMetadata(said)
  const sql = sqlOf(core.orm)
  const now = new Date()
  await inTransaction(core.orm, sql =>
    deleteIdleOauthClients(sql, new Date(now.getTime() - UNUSED), new Date(now.getTime() - IDLE)),
  )
  if ((await countNewOauthClients(sql)) >= MOST_NEW)
    throw new OauthError(
      'temporarily_unavailable',
      'Too many registrations are unused; try again later',
      3600,
    )
  const client = { id: randomText(22), name: shownName(client_name), redirect_uris, created_at: now }
  await insertOauthClient(sql, client)
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
