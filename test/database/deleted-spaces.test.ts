import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { finishDeletions, leftoverCleaner } from '../../db/deleted-spaces.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { fillSpace } from '../contract/resources.ts'
import { DISTRIBUTED, partitionContent } from '../support/partitions.ts'
import { useQuietService } from '../support/quiet-service.ts'
import { requestHost } from '../support/request-host.ts'
import type { TestService, TestSpace } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'

const idOf = async (service: TestService, subdomain: string): Promise<string> => {
  const query = service.core.database
    .selectFrom('space_names')
    .where('subdomain', '=', subdomain)
    .select('id')
  return (await query.executeTakeFirstOrThrow()).id
}

/** The tables that have content of a space. */
const tablesWith = async (service: TestService, spaceId: string): Promise<string[]> => {
  const found: string[] = []
  for (const [table, column] of Object.entries(DISTRIBUTED)) {
    const { rows } =
      await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${spaceId} limit 1`.execute(
        service.core.database,
      )
    if (rows.length > 0) found.push(table)
  }
  return found
}

/**
 * Starts deleting a space, and ends the connection after the space is deleted from the directory but before its content
 * is deleted.
 */
const deleteHalf = async (service: TestService, { subdomain, owner }: TestSpace, spaceId: string) => {
  const pages = await holdLocks(service, db =>
    db.selectFrom('pages').where('space_id', '=', spaceId).select('id').forUpdate().execute(),
  )
  const deletion = owner.spaces.delete({ subdomain, confirm: subdomain }).then(
    () => 'deleted',
    () => 'failed',
  )
  await waitForBlocked(service, 1)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(service.core.database)
  expect(await deletion).toBe('failed')
  await pages.rollback()
}

describe.each([
  ['on one server', () => Promise.resolve()],
  ['where content is distributed', partitionContent],
])('%s', (_, prepare: (url: string) => Promise<void>) => {
  const quiet = useQuietService(prepare)

  const prepareSpace = async () => {
    const space = await quiet.service.createSpace()
    const key = await space.key(...SPACE_SCOPES)
    return { space, key, ids: await fillSpace(space), id: await idOf(quiet.service, space.subdomain) }
  }

  test('a deleted space leaves no content', async () => {
    const { space, id } = await prepareSpace()
    expect(await tablesWith(quiet.service, id)).toContain('changes')
    await space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })
    expect(await tablesWith(quiet.service, id)).toEqual([])
    expect(await quiet.service.core.database.selectFrom('deleted_spaces').selectAll().execute()).toEqual([])
  })

  test('a deletion that is killed halfway leaves nothing visible, and the content is deleted later', async () => {
    const { space, key, ids, id } = await prepareSpace()
    const { subdomain, owner } = space
    await deleteHalf(quiet.service, space, id)
    expect(await tablesWith(quiet.service, id)).toContain('pages')

    const statuses = [
      await requestHost(quiet.service, `${subdomain}.sites.localhost`),
      await requestHost(quiet.service, `${ids.page_id}.pages.localhost`),
      await requestHost(quiet.service, `${ids.file_id}.files.localhost`),
      await quiet.service.rest(key, `/v1/spaces/${subdomain}`).get('/pages'),
      await quiet.service.rest(key, `/v1/spaces/${subdomain}`).put('/data/a', { value: 1 }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404, 401, 401])
    expect(await owner.spaces.list()).toEqual([])

    await owner.spaces.create({ subdomain, name: 'Another' })
    expect(await owner.pages.list({ subdomain })).toEqual({ data: [] })
    await finishDeletions(quiet.service.core.database)
    expect(await tablesWith(quiet.service, id)).toEqual([])
    expect(await tablesWith(quiet.service, await idOf(quiet.service, subdomain))).toEqual(['spaces'])
  })

  test('a write during the deletion of its space is refused', async () => {
    const { space, key, id } = await prepareSpace()
    const deletion = await holdLocks(quiet.service, db =>
      db.deleteFrom('space_names').where('id', '=', id).execute(),
    )
    const created = quiet.service
      .rest(key, `/v1/spaces/${space.subdomain}`)
      .post('/pages', { slug: 'late', html: 'x', kind: 'static' })
    await waitForBlocked(quiet.service, 1)
    await deletion.commit()
    expect((await created).status).toBe(401)
  })

  test('content of a space that is not in the directory is deleted, unless the space is new', async () => {
    const db = quiet.service.core.database
    const kept = await prepareSpace()
    const now = new Date()
    const old = new Date(now.getTime() - 2 * 60 * 60_000)
    await db.updateTable('spaces').set({ created_at: old }).where('id', '=', kept.id).execute()
    for (const [id, created_at] of [
      ['left', old],
      ['creating', now],
    ] as const) {
      await db.insertInto('spaces').values({ id, subdomain: id, name: id, created_at }).execute()
      await sql`insert into blobs (space_id, digest, bytes, size) values (${id}, 'd', 't', 1)`.execute(db)
    }
    await leftoverCleaner(quiet.service.core.database)()
    expect(await tablesWith(quiet.service, 'left')).toEqual([])
    expect(await tablesWith(quiet.service, 'creating')).toEqual(['spaces', 'blobs'])
    expect(await tablesWith(quiet.service, kept.id)).toContain('pages')
  })
})
