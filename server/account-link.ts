/**
 * `npm run account:link -- HANDLE`: prints a link with which that person sets a new password, beside a running service
 * or without. For the operator to hand over to somebody who has lost every way in.
 */
import { openDatabase, sqlOf } from '../db/orm.ts'
import { findAccountByHandle } from '../db/queries/accounts.ts'
import { makeResetLink } from '../routers/accounts/links/make.ts'
import { addresses } from '../routers/core/addresses.ts'
import { joinDatabase } from './locate-database.ts'
import { openLog } from './log.ts'
import { readSettings } from './settings.ts'

/** Says why there is no link; the process ends with that once everything is let go of. */
const refuse = (message: string) => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

const handle = process.argv[2]?.replace(/^@/, '')

const printLink = async (wanted: string) => {
  const settings = readSettings(process.env)
  const database = await joinDatabase(settings, openLog('warn'))
  const orm = await openDatabase(database.location, 2)
  try {
    const sql = sqlOf(orm)
    const account = await findAccountByHandle(sql, wanted)
    if (!account) return refuse(`Nobody here has the handle ${wanted}.`)
    const link = await makeResetLink(sql, addresses(settings), account.id)
    process.stdout.write(
      `With this link ${account.handle} can set a new password. It works once, for 30 minutes:\n\n  ${link}\n\n`,
    )
  } finally {
    await orm.close()
    await database.stop()
  }
}

if (handle) await printLink(handle)
else refuse('Say whose account it is: npm run account:link -- HANDLE')
