import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createAccount } from '../faults/support/account.ts'
import { call } from '../faults/support/http.ts'
import { startProgram } from '../faults/support/service.ts'
import { documentHost } from '../oauth/support/document-host.ts'
import { copyDatabase } from '../support/database.ts'
import type { Received } from '../support/webhooks.ts'

/** How many times a process is killed: `CRASH_ROUNDS`, 2 by default. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 2)

test('every change is delivered in order, while processes are killed and the receiver fails', async () => {
  const received: { id: string; revisions: number[]; isAccepted: boolean }[] = []
  // The first messages fail at first: with no answer at all, with a redirect to this machine, and with an error.
  const faults = [500, 302, 0]
  let insideCalls = 0
  const host = await documentHost((req, res) => {
    if (req.url === '/inside') insideCalls++
    let body = ''
    req.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    req.on('end', () => {
      const { type, data } = JSON.parse(body) as Received['event']
      if (type === 'test') return void res.writeHead(204).end()
      const id = req.headers['webhook-id'] as string
      const fault = received.some(message => message.id === id) ? undefined : faults.pop()
      received.push({
        id,
        revisions: data.changes.map(({ revision }) => revision),
        isAccepted: fault === undefined,
      })
      if (fault === 0) res.destroy()
      else
        res
          .writeHead(fault ?? 204, { location: `${host.origin.replace('client.test', '127.0.0.1')}/inside` })
          .end()
    })
  })
  onTestFinished(() => host.close())

  const url = await copyDatabase(inject('database'))
  const settings = {
    DATABASE_URL: url,
    SIGN_UP: 'open',
    CALLS_PER_MINUTE: '1000000',
    RENDER_PROCESSES: '1',
    NODE_OPTIONS: `--import ${new URL('../faults/support/public-host.mjs', import.meta.url).href}`,
    NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../oauth/support/certificate.pem', import.meta.url)),
  }
  const service = await startProgram(settings)
  onTestFinished(() => service.remove())
  const other = await startProgram(settings)
  onTestFinished(() => other.remove())
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())

  const account = await createAccount(service.port, 'hooked')
  const { subdomain } = account
  const events = ['record.created', 'record.changed', 'record.deleted']
  const { id } = await account.procedure<{ id: string }>('webhooks.add', {
    subdomain,
    url: `${host.origin}/hook`,
    events,
  })
  await account.procedure('webhooks.test', { subdomain, webhook_id: id })
  const isActive = async () =>
    (await client.query(`select from webhooks where id = $1 and state = 'active'`, [id])).rowCount
  await expect.poll(isActive, { timeout: 60_000 }).toBe(1)

  const write = (n: number) =>
    call(service.port, {
      method: 'PUT',
      path: `/v1/spaces/${subdomain}/data/r${n % 10}`,
      headers: account.key,
      body: JSON.stringify({ value: n }),
    })
  for (let round = 0; round < rounds; round++) {
    const killed = new AbortController()
    const writing = (async () => {
      for (let n = 0; !killed.signal.aborted; n++) await write(round * 1_000 + n)
    })()
    await sleep(300 + Math.random() * 1_500)
    await service.end('SIGKILL')
    killed.abort()
    await writing
    await service.start()
  }
  expect((await write(99_999)).status).toBe(200)

  const { rows } = await client.query<{ revision: string }>(
    `select revision from changes join space_names on space_names.id = space_id
      where subdomain = $1 and kind = 'record' order by revision`,
    [subdomain],
  )
  const written = rows.map(({ revision }) => Number(revision))
  // The lease of a killed process, and the pauses after faults, have to pass.
  await expect
    .poll(() => received.findLast(({ isAccepted }) => isAccepted)?.revisions.at(-1), {
      timeout: 240_000,
      interval: 200,
    })
    .toBe(written.at(-1))
  // A repetition follows its message directly.
  const inTurn = received.filter(({ id }, n) => id !== received[n - 1]?.id)
  expect(new Set(inTurn.map(({ id }) => id)).size).toBe(inTurn.length)
  expect(inTurn.flatMap(({ revisions }) => revisions)).toEqual(written)
  expect(received.length).toBeGreaterThan(inTurn.length)
  expect(insideCalls).toBe(0)
}, 360_000)
