/** `npm run demo:key`: creates another key for the demo space and prints it, whether or not the service is running. */
import { sqlOf } from '../../db/orm.ts'
import { findAccountByHandle } from '../../db/queries/accounts.ts'
import { findParticipantSpace } from '../../db/queries/spaces.ts'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { issueKey } from '../../routers/credentials/keys/issue.ts'
import { refuse, withDatabase } from '../with-database.ts'
import { DEMO_HANDLE, DEMO_SUBDOMAIN } from './site.ts'

await withDatabase(async orm => {
  const sql = sqlOf(orm)
  const account = await findAccountByHandle(sql, DEMO_HANDLE)
  const space = account && (await findParticipantSpace(sql, account.id, DEMO_SUBDOMAIN))
  if (!space) return refuse('There is no demo space. The first start creates it, unless DEMO=0 is set.')
  const issuer = { spaceId: space.space_id, participantId: space.participant_id }
  const { secret } = await issueKey(orm, issuer, { label: 'Demo', scopes: [...SPACE_SCOPES] }, null)
  process.stdout.write(`${secret}\n`)
})
