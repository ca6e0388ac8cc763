import { Database } from '../../db/database.ts'
import { withMembershipLocked } from '../../db/locks.ts'
import { findAccountByHandle } from '../../db/queries/accounts.ts'
import { findParticipantSpace } from '../../db/queries/spaces.ts'
import { createResetLink } from '../../routers/accounts/links/create.ts'
import { addresses } from '../../routers/api/addresses.ts'
import { Problem } from '../../routers/api/problem.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { issue } from '../../routers/credentials/issue.ts'
import { keyStore } from '../../routers/credentials/store.ts'
import { joinDatabase, requireData } from '../database/locate.ts'
import { DEMO_HANDLE, DEMO_SUBDOMAIN } from '../demo/site.ts'
import { explain } from '../explain.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { openLog } from '../telemetry/log.ts'

/** Runs the work of a command with the database that the environment names. Throws only errors that were not expected. */
const withDatabase = async (
  work: (database: Database, settings: Settings) => Promise<void>,
): Promise<void> => {
  let settings: Settings | undefined
  try {
    settings = readSettings(process.env)
    await connectFor(settings, work)
  } catch (error) {
    const message = error instanceof Problem ? error.message : explain(error, settings)
    if (message === undefined) throw error
    refuse(message)
  }
}

const connectFor = async (settings: Settings, work: Parameters<typeof withDatabase>[0]): Promise<void> => {
  await requireData(settings)
  const located = await joinDatabase(settings, await openLog('warn'))
  const database = await Database.open(located.location, {
    poolSize: 2,
    namesStatements: settings.preparedStatements,
  })
  try {
    await work(database, settings)
  } finally {
    await database.close()
    await located.stop()
  }
}

/** Prints why a command did nothing. The process ends with exit code 1 after cleaning up. */
const refuse = (message: string): void => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

const printLink = async (database: Database, settings: Settings, handle: string): Promise<void> => {
  const account = await findAccountByHandle(database, handle)
  if (!account) return refuse(`There is no account with the handle ${handle}.`)
  const link = await createResetLink(database, addresses(settings), account.id)
  process.stdout.write(
    `Link for ${account.handle} to set a new password (works once, for 30 minutes):\n\n  ${link}\n\n`,
  )
}

const printDemoKey = async (database: Database): Promise<void> => {
  const account = await findAccountByHandle(database, DEMO_HANDLE)
  const space = account && (await findParticipantSpace(database, account.id, DEMO_SUBDOMAIN))
  if (!space) return refuse('There is no demo space. The first start creates it, unless DEMO=0 is set.')
  const issuer = { spaceId: space.space_id, participantId: space.participant_id }
  const choice = { label: 'Demo', scopes: SPACE_SCOPES }
  const { secret } = await withMembershipLocked(database, issuer.spaceId, sql =>
    issue(keyStore(sql, issuer), choice, null),
  )
  process.stdout.write(`${secret}\n`)
}

/**
 * Prints a one-time link that sets a new password. The operator gives it to the holder of an account who can no longer
 * sign in. Works whether or not the service is running. Prints a secret, so it writes nothing else to the output.
 */
export const accountLink = async ([argument = '']: string[], usage: string): Promise<void> => {
  const handle = argument.replace(/^@/, '')
  if (handle === '') refuse(`Usage: ${usage}`)
  else await withDatabase((database, settings) => printLink(database, settings, handle))
}

/** Creates another key for the demo space and prints it, like {@link accountLink}. */
export const demoKey = (): Promise<void> => withDatabase(printDemoKey)
