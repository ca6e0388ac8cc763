import { sqlOf } from '../../../db/orm.ts'
import { findOauthClient } from '../../../db/queries/oauth-clients.ts'
import type { Core, OauthClient } from '../../core/context.ts'
import { isDocumentId } from './documents.ts'
import { OauthError } from './error.ts'

/**
 * The client with that id: described at its own address, or registered here.
 *
 * @param address network address that fetches of descriptions are counted by
 * @throws OauthError `invalid_client` when there is none; `temporarily_unavailable` after too many fetches
 */
export const findClient = async (core: Core, address: string, id: string): Promise<OauthClient> => {
  if (isDocumentId(id)) {
    if (!core.oauth.documents.has(id)) {
      const { refused, reset } = await core.oauth.lookups.consume(address)
      if (refused)
        throw new OauthError('temporarily_unavailable', `Too many attempts; wait ${reset} s`, reset)
    }
    return core.oauth.documents.read(id)
  }
  const row = await registered(core, id)
  if (!row) throw unknownClient()
  return { id: row.id, name: row.name, redirectUris: row.redirect_uris, host: null }
}

/**
 * Refuses ids that name no client. A client that is named by an address is not fetched for this: what it holds is
 * bound to its name, and no stranger makes us fetch anything by asking for tokens.
 *
 * @throws OauthError `invalid_client`
 */
export const requireClient = async (core: Core, id: string | undefined): Promise<string> => {
  if (id === undefined) throw unknownClient()
  if (!isDocumentId(id) && !(await registered(core, id))) throw unknownClient()
  return id
}

const registered = (core: Core, id: string) =>
  /^[0-9A-Za-z]{22}$/.test(id) ? findOauthClient(sqlOf(core.orm), id) : undefined

const unknownClient = () =>
  new OauthError('invalid_client', 'No client has this client_id (any more); register again')
