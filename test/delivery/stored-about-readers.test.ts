import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, inject, test } from 'vitest'
import { createBackup } from '../../db/backup/create.ts'
import { restoreBackup } from '../../db/backup/restore.ts'
import { ownTables } from '../../db/entities.ts'
import { emptyDatabase } from '../backup/support/databases.ts'
import { runIn } from '../support/cluster.ts'
import { copyDatabase } from '../support/database.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const ADDRESS = '198.51.100.77'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Unusual/7.7'

/** What the threat model says about the tables, by table. */
const documented = Object.fromEntries(
  (await readFile(new URL('../../docs/threat-model.md', import.meta.url), 'utf8'))
    .split('\n')
    .flatMap(line => {
      const [, table, columns, , , backup] = line.split('|').map(cell => cell.trim())
      const name = /^`(visit\w+)`$/.exec(table ?? '')?.[1]
      if (name === undefined) return []
      return [[name, { columns: columns!.replaceAll('`', '').split(', '), isInBackups: backup === 'yes' }]]
    }),
) as Record<string, { columns: string[]; isInBackups: boolean }>

let url: string
let service: TestService
let site: TestSite
beforeAll(async () => {
  url = await copyDatabase(inject('database'))
  service = await startTestService({ databaseUrl: url, trustedProxies: ['loopback'] })
  site = await newSite(service)
  await site.page('about', 'About')
  await service.core.lastUsed.flush()
  return () => service.stop()
})

/** Returns the rows of every table as text, by table. */
const everything = async (): Promise<Record<string, string[]>> => {
  const tables = await Promise.all(
    ownTables.map(async table => {
      const { rows } = await sql<{
        row: string
      }>`select held::text as row from ${sql.table(table)} as held`.execute(service.core.database)
      return [table, rows.map(({ row }) => row).toSorted()] as const
    }),
  )
  return Object.fromEntries(tables)
}

const read = async (requested: string) => {
  await site.open(requested, {
    headers: {
      'user-agent': BROWSER,
      'x-forwarded-for': ADDRESS,
      referer: 'https://mail.example/inbox/private-message',
      cookie: 'session=private-cookie',
      'accept-language': 'xx-private',
    },
  })
  await service.core.visits!.flush()
}

test('only the tables in the threat model change when a site is read, and they have the columns that it names', async () => {
  const before = await everything()
  await read('/about?email=private-query')
  await read('/missing?email=private-query')
  const after = await everything()
  const changed = ownTables.filter(table => after[table]!.join('\n') !== before[table]!.join('\n'))
  expect(changed.toSorted()).toEqual(Object.keys(documented).toSorted())
  for (const [table, { columns }] of Object.entries(documented)) {
    const rows = await runIn<{ name: string }>(
      url,
      `select column_name as name from information_schema.columns where table_name = '${table}' order by ordinal_position`,
    )
    expect([table, rows.map(({ name }) => name)]).toEqual([table, columns])
  }
})

test('neither the database nor the log has the address, the browser, the query, the cookie or the page of the link', async () => {
  await read('/about?email=private-query')
  const stored = JSON.stringify([await everything(), service.log])
  for (const secret of [ADDRESS, 'Unusual', 'private', 'inbox', 'xx-private'])
    expect([secret, stored.includes(secret)]).toEqual([secret, false])
  expect(stored).toContain('mail.example')
})

test('a backup has the figures, but neither the salt nor the hashes', async () => {
  await read('/about')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-readers-'))
  try {
    const file = path.join(folder, 'all.backup')
    await createBackup({ url }, file)
    const restored = await emptyDatabase()
    await restoreBackup({ url: restored }, file, { replace: false })
    for (const [table, { isInBackups }] of Object.entries(documented)) {
      const count = async (database: string) =>
        (await runIn<{ count: number }>(database, `select count(*)::int as count from ${table}`))[0]!.count
      expect(await count(url)).toBeGreaterThan(0)
      expect([table, await count(restored)]).toEqual([table, isInBackups ? await count(url) : 0])
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
