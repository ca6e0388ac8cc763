import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createAccount } from '../faults/support/account.ts'
import { call } from '../faults/support/http.ts'
import { type ServiceProcess, startProgram } from '../faults/support/service.ts'
import { copyDatabase } from '../support/database.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('two processes count exactly, and one that is killed loses only what it had not written', async () => {
  const url = await copyDatabase(inject('database'))
  const settings = {
    DATABASE_URL: url,
    SIGN_UP: 'open',
    TRUSTED_PROXIES: 'loopback',
    RENDER_PROCESSES: '1',
  }
  const killed = await startProgram(settings)
  onTestFinished(() => killed.remove())
  const other = await startProgram(settings)
  onTestFinished(() => other.remove())
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())

  const account = await createAccount(killed.port, 'visited')
  const { subdomain } = account
  await account.procedure('pages.create', { subdomain, slug: 'about', kind: 'static', html: 'About' })
  /** Readers with some of 255 addresses open the page. */
  const read = async (service: ServiceProcess, from: number, to: number) => {
    for (let address = from; address < to; address++) {
      const reply = await call(service.port, {
        path: '/about',
        headers: {
          host: `${subdomain}.sites.localhost:${service.port}`,
          'user-agent': BROWSER,
          'x-forwarded-for': `198.51.100.${address}`,
        },
      })
      expect(reply.status).toBe(200)
    }
  }
  /** The figures of all days. */
  const figures = async () => {
    const { rows } = await client.query<{ views: number; visitors: number }>(
      'select coalesce(sum(views), 0)::int as views, coalesce(sum(visitors), 0)::int as visitors from visit_days',
    )
    return rows[0]!
  }
  await Promise.all([read(killed, 0, 30), read(other, 10, 40)])
  await expect.poll(figures, { timeout: 60_000, interval: 200 }).toEqual({ views: 60, visitors: 40 })
  await read(killed, 40, 50)
  await killed.end('SIGKILL')
  await killed.start()
  const { views, visitors } = await figures()
  expect(views).toBeGreaterThanOrEqual(60)
  expect(views).toBeLessThanOrEqual(70)
  expect(visitors).toBe(views - 20)
  await Promise.all([read(killed, 50, 55), read(other, 55, 60)])
  // A process that is stopped writes what it has counted.
  for (const service of [killed, other]) expect(await service.end('SIGTERM')).toBe(0)
  expect(await figures()).toEqual({ views: views + 10, visitors: visitors + 10 })
}, 240_000)
