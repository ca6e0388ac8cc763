import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { findAccountByHandle } from '../../../db/queries/accounts.ts'
import type { Addresses } from '../../api/addresses.ts'
import { timestamp } from '../../api/fields.ts'
import { Problem } from '../../api/problem.ts'

/** Number of people on one page of a list. */
export const PEOPLE_PER_PAGE = 50

/** A person in a list of the dashboard. */
export const ListedPerson = z.object({
  handle: z.string(),
  display_name: z.string().nullable(),
  icon_url: z.string().nullable(),
  profile_url: z.string(),
  /** When the person was added to the list. */
  since: timestamp,
})

interface PersonRow {
  handle: string
  display_name: string | null
  icon_id: string | null
}

export const listedPerson = (
  addresses: Addresses,
  { handle, display_name, icon_id }: PersonRow,
  since: Date,
): z.infer<typeof ListedPerson> => ({
  handle,
  display_name,
  icon_url: icon_id === null ? null : addresses.icon(icon_id),
  profile_url: addresses.profile(handle),
  since: since.toISOString(),
})

/** Returns the id of the account with a handle. @throws `account_not_found` */
export const accountIdOf = async (sql: Sql, handle: string): Promise<string> => {
  const account = await findAccountByHandle(sql, handle)
  if (!account) throw new Problem('account_not_found', { detail: `Nobody has the handle ${handle}.` })
  return account.id
}
