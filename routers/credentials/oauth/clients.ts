import { findOauthClient } from '../../../db/queries/oauth.ts'
import type { Core, OauthClient } from '../../api/context.ts'
import { isDocumentId } from './client-documents.ts'
import { OauthError } from './error.ts'

/**
 * The command `space`, which every instance knows. It is a public client: anyone can use its id, but its codes are only
 * sent to a program on the person's own computer (RFC 8252).
 */
export const COMMAND_LINE = {
  id: 'space-command',
  name: 'The command space',
  redirectUris: ['http://127.0.0.1/', 'http://[::1]/'],
}

/**
 * Finds a client by id, from its metadata document or among the registered ones.
 *
 * @param address network address of the caller, whose fetches are limited
 * @throws OauthError `invalid_client` when the client does not exist; `temporarily_unavailable` after too many fetches
 */
export const findClient = async (core: Core, address: string, id: string): Promise<OauthClient> => {
  if (id === COMMAND_LINE.id) return { ...COMMAND_LINE, host: new URL(core.addresses.apiRoot).host }
  if (isDocumentId(id)) {
    if (!core.oauth.documents.has(id)) {
      const { refused, reset } = await core.oauth.lookups.consume(address)
      if (refused)
        throw new OauthError('temporarily_unavailable', `Too many attempts; wait ${reset} s`, reset)
    }
    return core.oauth.documents.read(id, address)
  }
  const row = await registered(core, id)
  if (!row) throw unknownClient()
  return { id: row.id, name: row.name, redirectUris: row.redirect_uris, host: null }
}

/**
 * Checks that a client id exists. Metadata documents are not fetched: codes and tokens are bound to the id, and
 * token requests from unauthenticated callers must not trigger fetches.
 *
 * @throws OauthError `invalid_client`
 */
export const requireClient = async (core: Core, id: string | undefined): Promise<string> => {
  if (id === undefined) throw unknownClient()
  if (id !== COMMAND_LINE.id && !isDocumentId(id) && !(await registered(core, id))) throw unknownClient()
  return id
}

const registered = (core: Core, id: string) =>
  /^[0-9A-Za-z]{22}$/.test(id) ? findOauthClient(core.database, id) : undefined

const unknownClient = () =>
  new OauthError('invalid_client', 'This app is no longer registered. Remove it and add it again')
