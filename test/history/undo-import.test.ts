import { beforeAll, describe, expect, it } from 'vitest'
import { HISTORY_FAULTS } from '../support/history.ts'
import { errorCodeOf } from '../support/problems.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'
import type { TestSpace } from '../support/test-service.ts'

/** More than one page of a list has. `test/bench/history.ts` measures the undo of as many items as a space can have. */
const COUNTS = { page: 800, part: 200, record: 100, file: 200 }
const ALL = Object.values(COUNTS).reduce((sum, count) => sum + count, 0)

/** Imports the items. */
const FILL = `
  with space as (
    update spaces set revision = revision + 1, transaction = pg_current_xact_id() where subdomain = $1 returning id, revision
  )
  insert into writes (space_id, revision, at, cause, operation, actor_kind, actor, account)
  select id, revision, now(), 'import', 'import', 'session', 'someone', 'someone' from space;
`
const ITEMS = `
  with space as (select id from spaces where subdomain = $1),
  texts as (
    select n, repeat('<p>' || n || '</p>', 50) as text from generate_series(1, 1000) as n
  ), added_pages as (
    insert into pages (space_id, id, slug, kind, html, includes, created_at, updated_at)
    select id, 'page-' || n, 'page-' || n, 'static', text, array['part-' || n], now(), now()
    from space, texts where n <= ${COUNTS.page}
  ), added_parts as (
    insert into parts (space_id, id, name, html, length, includes, created_at, updated_at)
    select id, 'part-' || n, 'part-' || n, text, length(text), array['part-' || n + 1], now(), now()
    from space, texts where n <= ${COUNTS.part}
  ), added_records as (
    insert into data_records (space_id, key, value, size, description, version, updated_at)
    select id, 'record-' || n, to_json(text), length(text) + 2, null, 1, now()
    from space, texts where n <= ${COUNTS.record}
  ), added_bytes as (
    insert into blobs (space_id, digest, bytes, size) select id, sha256('x'), 'x', 1 from space
  )
  insert into files (space_id, id, name, content_type, size, digest, created_at, updated_at)
  select id, 'file-' || n, n || '.txt', 'text/plain', 1, sha256('x'), now(), now()
  from space, texts where n <= ${COUNTS.file}`

const CONTENT = `
  select md5(string_agg(item::text, ' ' order by item::text)), count(*)::int as count from (
    select to_jsonb(pages) - 'updated_at' from pages union all
    select to_jsonb(parts) - 'updated_at' from parts union all
    select to_jsonb(data_records) - 'updated_at' - 'version' from data_records union all
    select to_jsonb(files) - 'updated_at' - 'position' - 'created_at' from files
  ) as items (item)`

describe('an import of many items', () => {
  const quiet = useQuietService()
  let space: TestSpace
  beforeAll(async () => {
    space = await quiet.service.createSpace()
    await quiet.client.query('begin')
    for (const statement of [FILL, ITEMS]) await quiet.client.query(statement, [space.subdomain])
    await quiet.client.query('commit')
    await quiet.client.query('analyze')
  })

  /** How often the statistics of the pages were refreshed, apart from what PostgreSQL does by itself. */
  const refreshes = async () =>
    Number(
      (
        await quiet.client.query<{ analyze_count: string }>(
          `select analyze_count from pg_stat_user_tables where relname = 'pages'`,
        )
      ).rows[0]!.analyze_count,
    )
  const content = async () => (await quiet.client.query<{ count: number }>(CONTENT)).rows[0]!
  const previewUndo = (input: object) =>
    space.owner.history.previewUndo({ subdomain: space.subdomain, operation: 'import', ...input })

  it('is undone as one operation, with few statements, and the undo can be undone too', async () => {
    const before = await content()
    expect(before.count).toBe(ALL)
    const refreshed = await refreshes()
    const { subdomain, owner } = space
    const { plan, steps } = await previewUndo({ limit: 1 })
    expect(steps).toHaveLength(1)
    const { result, statements } = await recorded(() =>
      owner.history.undo({ subdomain, operation: 'import', plan }),
    )
    expect(Object.fromEntries(result.counts.map(({ kind, count }) => [kind, count]))).toEqual(COUNTS)
    expect(statements.length).toBeLessThan(ALL / 20)
    expect((await content()).count).toBe(0)
    expect((await quiet.client.query(HISTORY_FAULTS)).rows).toEqual([])

    expect(await refreshes()).toBe(refreshed + 1)
    const again = await owner.history.undo({ subdomain, operation: result.operation! })
    expect(new Set(again.counts.map(({ outcome }) => outcome))).toEqual(new Set(['bring_back']))
    expect(await content()).toEqual(before)
    expect((await quiet.client.query(HISTORY_FAULTS)).rows).toEqual([])
  })

  it('has an undo preview that counts all its items and lists them in pages', async () => {
    const { subdomain, owner, api } = space
    const operation = (await owner.history.list({ subdomain })).changes[0]!.operation!
    await api.put('/data/record-1', { value: 'changed since' })
    const first = await previewUndo({ operation })
    expect(first.counts).toContainEqual({ kind: 'record', outcome: 'changed_since', count: 1 })
    expect(first.counts).toContainEqual({ kind: 'record', outcome: 'delete', count: COUNTS.record - 1 })
    const second = await previewUndo({ operation, cursor: first.next })
    expect(second.counts).toEqual(first.counts)
    const things = [...first.steps, ...second.steps].map(({ thing }) => thing)
    expect(things).toHaveLength(1_000)
    expect(things).toEqual([...new Set(things)].toSorted())
    const last = await previewUndo({ operation, cursor: 'part part-999' })
    expect([last.steps.length, last.skipped.length, last.next]).toEqual([COUNTS.record - 1, 1, null])
    expect(await errorCodeOf(previewUndo({ operation, limit: 501 }))).toBe('validation_failed')
  })
})
