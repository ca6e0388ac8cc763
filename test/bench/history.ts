/**
 * Measures writes with their history entry, compared with the same writes without one, in a temporary database:
 * `node test/bench/history.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { compileOnceRows } from '../../db/compile-once.ts'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { newId } from '../../db/id.ts'
import { withSpaceLocked } from '../../db/locks.ts'
import { migrate } from '../../db/migrate.ts'
import { openDatabase, sqlOf } from '../../db/orm.ts'
import { putData } from '../../db/queries/data.ts'
import { insertPost, replacePost } from '../../db/queries/posts.ts'

const ROUNDS = 20
const WRITES = 100

const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-bench-'))
const server = await startEmbeddedPostgres({ folder, durable: true })
const { host, port, user } = server.connection
const orm = await openDatabase({
  url: `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`,
})
await migrate(orm)
const db = sqlOf(orm)

const [accountId, spaceId, postId] = [newId(), newId(), newId()]
const now = new Date()
await sql`insert into accounts (id, handle, created_at) values (${accountId}, 'bench', ${now})`.execute(db)
await sql`insert into spaces (id, subdomain, name, created_at) values (${spaceId}, 'bench', 'Bench', ${now})`.execute(
  db,
)
await insertPost(db, {
  id: postId,
  author_id: accountId,
  format: 'html',
  html: 'x',
  markdown: null,
  url: null,
  text: null,
  tags: [],
  published_at: now,
  created_at: now,
  updated_at: now,
})
const author = { kind: 'session', id: accountId, label: null, accountId, agent: null } as const

let count = 0
/** A text that differs from every earlier one and compresses like a document. */
const textOf = (length: number) =>
  `"${`${++count} <p>Beans grow in spring, peas before them.</p> `.repeat(length / 50)}"`

const recordOf = (value: string) => ({
  key: 'bench',
  value,
  size: value.length,
  description: null,
  version: count,
  updated_at: new Date(),
})

const upsert = compileOnceRows(
  (on, space_id: string, key: string, value: string, size: number, updated_at: Date) =>
    on
      .insertInto('data_records')
      .values({ space_id, key, value, size, description: null, version: 1, updated_at })
      .onConflict(conflict => conflict.columns(['space_id', 'key']).doUpdateSet({ value, size, updated_at })),
)

const writeRecord = (length: number, hasHistory: boolean) =>
  withSpaceLocked(orm, spaceId, author, async write => {
    const record = recordOf(textOf(length))
    if (hasHistory) return putData(write, record, false)
    return upsert(write.sql, spaceId, record.key, record.value, record.size, record.updated_at)
  })

const writePost = async (length: number, hasHistory: boolean) => {
  const content = { format: 'html', html: textOf(length), markdown: null, url: null, text: null } as const
  if (hasHistory) return replacePost(db, { id: postId, author }, content, new Date())
  return sql`
    update posts set format = ${content.format}, html = ${content.html}, markdown = null, url = null, "text" = null,
      updated_at = case when html is distinct from ${content.html} then greatest(${new Date()}::timestamptz(3),
        updated_at + interval '1 millisecond') else updated_at end
    where id = ${postId} and author_id = ${accountId} returning id`.execute(db)
}

/** Returns the mean time of a write in ms. */
const timeOf = async (write: () => Promise<unknown>) => {
  const start = performance.now()
  for (let n = 0; n < WRITES; n++) await write()
  return (performance.now() - start) / WRITES
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

for (const [name, write] of [
  ['record', writeRecord],
  ['post', writePost],
] as const)
  for (const length of [1_000, 20_000]) {
    const [without, withHistory]: [number[], number[]] = [[], []]
    // Alternate, so that a busy machine affects both.
    for (let round = 0; round < ROUNDS; round++) {
      without.push(await timeOf(() => write(length, false)))
      withHistory.push(await timeOf(() => write(length, true)))
    }
    const [a, b] = [median(without), median(withHistory)]
    process.stdout.write(
      `${name} of ${length / 1000} kB: ${a.toFixed(2)} ms without history, ${b.toFixed(2)} ms with it: ${(b / a).toFixed(2)} times\n`,
    )
  }

await orm.close()
await server.stop()
await rm(folder, { recursive: true, force: true })
