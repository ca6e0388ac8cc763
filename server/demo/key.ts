/** `npm run demo:key`: creates another key for the demo space and prints it, whether or not the service is running. */
import { openDatabase, sqlOf } from '../../db/orm.ts'
import { findAccountByHandle } from '../../db/queries/accounts.ts'
import { findParticipantSpace } from '../../db/queries/spaces.ts'
import { Problem } from '../../routers/core/problem.ts'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { issueKey } from '../../routers/credentials/keys/issue.ts'
import { joinDatabase } from '../locate-database.ts'
import { openLog } from '../log.ts'
import { readSettings } from '../settings.ts'
import { DEMO_HANDLE, DEMO_SUBDOMAIN } from './site.ts'

const settings = readSettings(process.env)
const database = await joinDatabase(settings, openLog('warn'))
const orm = await openDatabase(database.location, {
  poolSize: 2,
  namesStatements: settings.preparedStatements,
})
try {
  const sql = sqlOf(orm)
  const account = await findAccountByHandle(sql, DEMO_HANDLE)
  const space = account && (await findParticipantSpace(sql, account.id, DEMO_SUBDOMAIN))
  if (!space) {
    process.stderr.write('There is no demo space. The first start creates it, unless DEMO=0 is set.\n')
    process.exitCode = 1
  } else {
    const issuer = { spaceId: space.space_id, participantId: space.participant_id }
    const { secret } = await issueKey(orm, issuer, { label: 'Demo', scopes: [...SPACE_SCOPES] }, null)
    process.stdout.write(`${secret}\n`)
  }
} catch (error) {
  if (!(error instanceof Problem)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  await orm.close()
  await database.stop()
}
