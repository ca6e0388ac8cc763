/**
 * `npm run account:link -- HANDLE`: prints a one-time link that sets a new password. The operator gives it to the
 * holder of an account who can no longer sign in. Works whether or not the service is running.
 */
import { openDatabase, sqlOf } from '../db/orm.ts'
import { findAccountByHandle } from '../db/queries/accounts.ts'
import { createResetLink } from '../routers/accounts/links/create.ts'
import { addresses } from '../routers/core/addresses.ts'
import { joinDatabase } from './locate-database.ts'
import { openLog } from './log.ts'
import { readSettings } from './settings.ts'

/** Prints why there is no link. The process ends with exit code 1 after cleaning up. */
const refuse = (message: string) => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

const handle = process.argv[2]?.replace(/^@/, '')

const printLink = async (wanted: string) => {
  const settings = readSettings(process.env)
  const database = await joinDatabase(settings, openLog('warn'))
  const orm = await openDatabase(database.location, {
    poolSize: 2,
    namesStatements: settings.preparedStatements,
  })
  try {
    const sql = sqlOf(orm)
    const account = await findAccountByHandle(sql, wanted)
    if (!account) return refuse(`There is no account with the handle ${wanted}.`)
    const link = await createResetLink(sql, addresses(settings), account.id)
    process.stdout.write(
      `Link for ${account.handle} to set a new password (works once, for 30 minutes):\n\n  ${link}\n\n`,
    )
  } finally {
    await orm.close()
    await database.stop()
  }
}

if (handle) await printLink(handle)
else refuse('Usage: npm run account:link -- HANDLE')
