/**
 * `npm run account:link -- HANDLE`: prints a one-time link that sets a new password. The operator gives it to the
 * holder of an account who can no longer sign in. Works whether or not the service is running.
 */
import { sqlOf } from '../db/orm.ts'
import { findAccountByHandle } from '../db/queries/accounts.ts'
import { createResetLink } from '../routers/accounts/links/create.ts'
import { addresses } from '../routers/core/addresses.ts'
import { refuse, withDatabase } from './with-database.ts'

const handle = process.argv[2]?.replace(/^@/, '')

if (!handle) refuse('Usage: npm run account:link -- HANDLE')
else
  await withDatabase(async (orm, settings) => {
    const sql = sqlOf(orm)
    const account = await findAccountByHandle(sql, handle)
    if (!account) return refuse(`There is no account with the handle ${handle}.`)
    const link = await createResetLink(sql, addresses(settings), account.id)
    process.stdout.write(
      `Link for ${account.handle} to set a new password (works once, for 30 minutes):\n\n  ${link}\n\n`,
    )
  })
