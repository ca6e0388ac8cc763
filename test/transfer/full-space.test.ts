import { expect, test } from 'vitest'
import { creationLimits, limits, rules } from '../../routers/api/rules.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { recordStatements } from '../support/statements.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { type Packed, pack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const MAX = { pages: 100, parts: 5, files: 3 }
const service = useTestService({ creationLimits: { ...creationLimits, ...MAX } })
/** The limits of the running service, which a test can lower as an operator would. */
const roomyLimits = { ...creationLimits }
const roomy = useTestService({ creationLimits: roomyLimits })
const mover = useMover(service)
const roomyMover = useMover(roomy)

/** Fills a space with as many pages, and as much text in pages, parts and records, as it can have. */
const FILL = `
  with space as (update spaces set revision = revision + 1 where subdomain = ? returning id),
  added_pages as (
    insert into pages (space_id, id, slug, kind, html, includes, created_at, updated_at)
    select id, 'page-' || n, 'page-' || n, 'static',
      rpad(concat('{% render "part-1" %}', case when n % 50 = 0 then ?::text end, ' ', n),
        ${rules.page.html_max_length}, '<p>' || n),
      array['part-1'], now(), now()
    from space, generate_series(1, ${MAX.pages}) as n
  ), added_parts as (
    insert into parts (space_id, id, name, html, length, includes, created_at, updated_at)
    select id, 'part-' || n, 'part-' || n, repeat('\u{1F331}', length), length, '{}', now(), now()
    from space, generate_series(1, 4) as n, (values (${rules.part.total_max_length / 4})) as rule (length)
  )
  insert into data_records (space_id, key, value, size, description, version, updated_at)
  select id, 'record-' || n, '"' || repeat('x', size - 2) || '"', size, null, 1, now()
  from space, generate_series(1, 16) as n, (values (${rules.data.total_max_bytes / 16})) as rule (size)`

/**
 * Selects a digest of the pages, parts and records of a space. It leaves out the address of the file, which differs in
 * every copy of the space.
 */
const CONTENT = `
  with space as (select id from spaces where subdomain = ?), items as (
    select slug as name, replace(html, ?, 'ADDRESS') as text, includes from pages where space_id in (select id from space)
    union all
    select name, html, includes from parts where space_id in (select id from space)
    union all
    select key, value, null from data_records where space_id in (select id from space)
  )
  select md5(string_agg(name || md5(text) || coalesce(includes::text, ''), ' ' order by name)) as digest,
    sum(octet_length(text))::int as bytes
  from items`

const execute = (sql: string, values: unknown[] = []) =>
  service.core.database.orm.em.fork().execute(sql, values)

/** Changes content without recording it in the history. */
const executeUnrecorded = (sql: string, values: unknown[]) =>
  service.core.database.orm.em.fork().transactional(async em => {
    await em.execute('set local session_replication_role = replica')
    await em.execute(sql, values)
  })

const contentOf = async ({ subdomain, api }: TestSpace) => {
  const { data } = (await api.get<{ data: { url: string }[] }>('/files')).body
  const [{ digest, bytes }] = (await execute(CONTENT, [subdomain, data[0]!.url])) as [
    { digest: string; bytes: number },
  ]
  return { digest, bytes }
}

test('a space with as much text as possible can be exported and imported', async () => {
  const [space, copy] = [await mover.space(), await mover.space()]
  const file = await space.api.post<{ url: string }>('/files', { name: 'a', content: 'a', encoding: 'text' })
  await executeUnrecorded(FILL, [space.subdomain, file.body.url])
  const before = await contentOf(space)
  expect(before.bytes).toBeGreaterThan(limits.archiveMemory)
  const archive = await mover.archive(space.subdomain)
  expect((await mover.put(copy.subdomain, archive)).status).toBe(200)
  expect(await contentOf(copy)).toEqual(before)
  expect(await execute(HISTORY_FAULTS)).toHaveLength(MAX.pages + 4 + 16)
  const again = await mover.upload(copy.subdomain, archive, 'delete_missing=1')
  expect(again.body.changes).toEqual([])
})

const items = (count: number, itemAt: (n: number) => Packed): Packed[] =>
  Array.from({ length: count }, (_, n) => itemAt(n))

test.each<[string, string, Packed[]]>([
  ['pages', 'limit_reached', items(MAX.pages + 1, n => ({ path: `pages/${n}.html`, content: 'x' }))],
  ['parts', 'limit_reached', items(MAX.parts + 1, n => ({ path: `parts/${n}.html`, content: 'x' }))],
  ['files', 'limit_reached', items(MAX.files + 1, n => ({ path: `files/${n}`, content: 'x' }))],
  [
    'text in parts',
    'parts_quota_exceeded',
    items(5, n => ({ path: `parts/${n}.html`, content: 'x'.repeat(rules.part.html_max_length) })),
  ],
  [
    'records',
    'data_quota_exceeded',
    items(rules.data.max_records + 1, n => ({ path: `data/${n}.json`, content: '1' })),
  ],
  [
    'text in records',
    'data_quota_exceeded',
    items(17, n => ({ path: `data/${n}.json`, content: JSON.stringify('x'.repeat(65_000)) })),
  ],
])('an import refuses more %s than a space can have, with the code %s', async (_what, code, files) => {
  const { subdomain } = await mover.space()
  expect((await mover.upload(subdomain, await pack(...files))).body.code).toBe(code)
})

test('an import counts the bytes of a replaced file only once', async () => {
  const { subdomain, api } = await mover.space()
  for (const name of ['a.txt', 'filler.txt'])
    await api.post('/files', { name, content: '123456', encoding: 'text' })
  // Leave 2 bytes free.
  await executeUnrecorded(
    `update files set size = ? where name = 'filler.txt' and space_id = (select id from spaces where subdomain = ?)`,
    [rules.file.quota_bytes - 8, subdomain],
  )
  const replaced = async (content: string) => pack({ path: 'files/a.txt', content })
  expect((await mover.upload(subdomain, await replaced('123456789'))).body.code).toBe(
    'storage_quota_exceeded',
  )
  expect((await mover.put(subdomain, await replaced('12345678'))).status).toBe(200)
})

test('if a space has more items than the lowered limits allow, an import can change items, but add none', async () => {
  const { subdomain } = await roomyMover.space()
  const archive = (text: string, ...names: string[]) =>
    pack(
      ...names.flatMap(name => [
        { path: `pages/${name}.html`, content: text },
        { path: `parts/${name}.html`, content: text },
      ]),
    )
  expect((await roomyMover.put(subdomain, await archive('one', 'a', 'b'))).status).toBe(200)
  Object.assign(roomyLimits, { pages: 1, parts: 1 })
  try {
    expect((await roomyMover.put(subdomain, await archive('two', 'a'))).status).toBe(200)
    expect((await roomyMover.upload(subdomain, await archive('two', 'c'))).body.code).toBe('limit_reached')
  } finally {
    Object.assign(roomyLimits, creationLimits)
  }
})

test('an import of many items sends few statements', async () => {
  const { subdomain } = await roomyMover.space()
  const archive = (text: string) =>
    pack(
      ...items(150, n => ({ path: `pages/${n}.html`, content: `${text} ${n}` })),
      ...items(150, n => ({ path: `parts/${n}.html`, content: `${text} ${n}` })),
      ...items(150, n => ({ path: `files/${n}.txt`, content: `${text} ${n}` })),
    )
  for (const [packed, query] of [
    [await archive('first'), ''],
    [await archive('second'), ''],
    [await pack(), 'delete_missing=1'],
  ] as const) {
    const { plan } = (await roomyMover.upload(subdomain, packed, query)).body
    const end = recordStatements()
    const { status } = await roomyMover.upload(subdomain, packed, `${query}&plan=${plan}`)
    // One statement per page would be 150 or more. Background work, such as compressing earlier files, can add some.
    expect([status, end().statements.length < 150]).toEqual([200, true])
  }
  expect(await roomy.core.database.orm.em.fork().execute(HISTORY_FAULTS)).toEqual([])
})
