import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { runIn } from '../support/cluster.ts'
import { freePort, run } from '../support/program.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
afterAll(() => agent.destroy())

/** Requests `/readyz` over a connection that stays open and is reused. */
const readyz = async (port: number) => {
  const sent = request({ host: '127.0.0.1', port, path: '/readyz', agent }).end()
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return [response.statusCode, JSON.parse(Buffer.concat(chunks).toString()) as unknown]
}

test('a process accepts no connections until the database is migrated', async () => {
  const { url } = inject('database')
  const name = `starting_${crypto.randomUUID().replaceAll('-', '')}`
  await runIn(url, `create database ${name}`)
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href
  const port = await freePort()

  // Hold the migration lock, as another migrating process would.
  const other = new Client({ connectionString: own })
  await other.connect()
  await other.query('begin')
  await other.query('select pg_advisory_xact_lock(72119301)')
  const program = run('server/main.mjs', { PORT: String(port), DATABASE_URL: own, DEMO: '0' })
  await vi.waitFor(
    async () => {
      const { rows } = await other.query(
        "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
      )
      expect(rows).toHaveLength(1)
    },
    { timeout: 60_000, interval: 50 },
  )
  await expect(readyz(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })

  await other.query('rollback')
  await other.end()
  await program.waitForOutput(/./)
  while ((await readyz(port).catch(() => [0]))[0] === 0) await sleep(20)
  expect(await readyz(port)).toEqual([200, { status: 'ready' }])
  expect(await program.end('SIGTERM')).toBe(0)
})
