import { newId } from '../../db/id.ts'
import { deleteAccount, findAccountByHandle, hasAccounts, insertAccount } from '../../db/queries/accounts.ts'
import { findParticipantSpace } from '../../db/queries/spaces.ts'
import { createSignInLink } from '../../routers/accounts/links/create.ts'
import type { Core } from '../../routers/api/context.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { actAs } from './act-as.ts'
import * as site from './site.ts'

/** What is printed about the demo at startup. */
export interface Demo {
  subdomain: string
  /** The secret of a new key if the service has just created the demo; otherwise null. */
  key: string | null
  /** A one-time sign-in link; null once the demo account has a password. */
  signInLink: string | null
}

/**
 * Creates the demo if the database has no accounts.
 *
 * @returns what to print about it, or null if there is no demo
 */
export const prepareDemo = async (core: Core): Promise<Demo | null> => {
  const sql = core.database
  const key = (await hasAccounts(sql)) ? null : await createDemo(core)
  const account = await findAccountByHandle(sql, site.DEMO_HANDLE)
  if (!account || !(await findParticipantSpace(sql, account.id, site.DEMO_SUBDOMAIN))) return null
  const signInLink = account.password_hash ? null : await createSignInLink(sql, core.addresses, account.id)
  return { subdomain: site.DEMO_SUBDOMAIN, key, signInLink }
}

/** Creates the account, space and site, and returns the secret of a key. Deletes the account again on an error. */
const createDemo = async (core: Core): Promise<string> => {
  const sql = core.database
  const id = newId()
  await insertAccount(sql, { id, handle: site.DEMO_HANDLE, created_at: new Date() })
  try {
    return await fillDemo(core, id)
  } catch (error) {
    await deleteAccount(sql, id)
    throw error
  }
}

/** Creates the space and its content through the same procedures that callers use. */
const fillDemo = (core: Core, accountId: string): Promise<string> =>
  actAs(core, { id: accountId, handle: site.DEMO_HANDLE }, async call => {
    const subdomain = site.DEMO_SUBDOMAIN
    await call.spaces.create({ subdomain, name: site.DEMO_NAME })
    for (const file of site.files) await call.files.create({ subdomain, encoding: 'text', ...file })
    for (const part of site.parts) await call.parts.create({ subdomain, ...part })
    for (const record of site.data) await call.data.put({ subdomain, ...record })
    for (const page of site.pages) await call.pages.create({ subdomain, ...page })
    const scopes = [...SPACE_SCOPES]
    return (await call.keys.issue({ subdomain, label: 'Demo', scopes, expires_in_days: null })).secret
  })
