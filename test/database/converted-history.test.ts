/** The migration `written_history` converts the history that earlier versions have recorded. */
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { Database } from '../../db/database.ts'
import { listChanges } from '../../db/queries/history.ts'
import { findBody } from '../../db/queries/items.ts'
import { emptyDatabase } from '../backup/support/databases.ts'
import { HISTORY_FAULTS } from '../support/history.ts'

const BEFORE = 'Migration20261127041000_grant_resources'

const digest = (text: string) => `sha256('${text}')`

/** A change as earlier versions recorded it. */
const change = (
  [revision, position]: [number, number],
  [kind, thing, action]: [string, string, string],
  [before, beforeDigest]: [object | null, string | null],
  [after, afterDigest]: [object | null, string | null],
  { actor = 'ann', operation = null as string | null } = {},
) => {
  const json = (fields: object | null) => (fields ? `'${JSON.stringify(fields)}'` : 'null')
  return `insert into changes (space_id, revision, position, at, kind, thing, action, cause, operation, before,
      before_digest, after, after_digest, actor_kind, actor, account)
    values ('s', ${revision}, ${position}, '2026-11-01', '${kind}', '${thing}', '${action}', 'write',
      ${operation ? `'${operation}'` : 'null'}, ${json(before)}, ${beforeDigest ?? 'null'}, ${json(after)},
      ${afterDigest ?? 'null'}, 'session', '${actor}', '${actor}');`
}

const created_at = '2026-11-01T00:00:00+00:00'
const page = (name: string, kind = 'static') => ({ name, kind, includes: [], created_at })
const record = (version: number) => ({ name: 'menu', description: null, version })

const OLD = `
  insert into spaces (id, subdomain, name, revision, created_at) values ('s', 'old', 'Old', 5, '${created_at}');
  insert into space_names (id, subdomain, name) values ('s', 'old', 'Old');
  insert into pages (space_id, id, slug, kind, html, includes, created_at, updated_at)
    values ('s', 'p', 'second', 'static', 'two', '{}', '${created_at}', '${created_at}');
  insert into bodies (space_id, digest, text, size)
    values ('s', ${digest('one')}, 'one', 3), ('s', ${digest('1')}, '1', 1), ('s', ${digest('2')}, '2', 1);
  ${change([2, 0], ['page', 'p', 'create'], [null, null], [page('first'), digest('one')])}
  ${change([3, 0], ['page', 'p', 'rename'], [page('first'), digest('one')], [page('second'), digest('one')])}
  ${change([4, 0], ['record', 'menu', 'create'], [null, null], [record(1), digest('1')])}
  ${change([4, 1], ['record', 'menu', 'change'], [record(1), digest('1')], [record(2), digest('2')], { actor: 'bob' })}
  ${change([5, 0], ['page', 'p', 'change'], [page('second'), digest('one')], [page('second'), digest('two')], { operation: 'o' })}
  ${change([5, 1], ['record', 'menu', 'delete'], [record(2), digest('2')], [null, null], { operation: 'o' })}`

test('changes keep their order, authors, operations and bodies, also those that shared a revision', async () => {
  const url = await emptyDatabase()
  const old = await Database.open({ url })
  await old.orm.migrator.up({ to: BEFORE })
  await old.close()
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(OLD)
  const database = await Database.open({ url })
  await database.orm.migrator.up()
  const db = database
  const changes = await listChanges(db, 's', { kinds: ['page', 'record'] }, { after: null, limit: 10 })
  expect(changes.map(({ revision, thing, actor, operation }) => [revision, thing, actor, operation])).toEqual(
    [
      ['5', 'menu', 'ann', 'o'],
      ['5', 'p', 'ann', 'o'],
      ['4', 'menu', 'bob', null],
      ['3', 'menu', 'ann', null],
      ['2', 'p', 'ann', null],
      ['1', 'p', 'ann', null],
    ],
  )
  const at = (revision: string, thing: string) => ({ revision, thing })
  expect(await findBody(db, 's', 'page', at('2', 'p'), 'before')).toBe('one')
  expect(await findBody(db, 's', 'page', at('5', 'p'), 'after')).toBe('two')
  expect(await findBody(db, 's', 'record', at('4', 'menu'), 'before')).toBe('1')
  expect(await findBody(db, 's', 'record', at('5', 'menu'), 'before')).toBe('2')
  expect((await client.query('select revision from spaces')).rows).toEqual([{ revision: '5' }])
  expect((await client.query(HISTORY_FAULTS)).rows).toEqual([])
  await client.end()
  await database.close()
})
