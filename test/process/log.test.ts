import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../server/telemetry/log.ts'
import { logRequests } from '../../server/telemetry/requests.ts'

/** Opens a log that writes to memory. Returns the log, and a function that returns its lines. */
const logTo = async (isTTY: boolean) => {
  const stream = new PassThrough()
  const output = Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream
  const log = await openLog('info', { output, mainHost: 'localhost:3000' })
  return {
    log,
    lines: () =>
      String(stream.read() ?? '')
        .split('\n')
        .slice(0, -1),
  }
}

const request = { reference: 'r1', method: 'GET', path: '/admin', status: 200, ms: 12.4 }

describe('the log on a terminal', () => {
  test('shows one short line per request', async () => {
    const { log, lines } = await logTo(true)
    log.info({ ...request, host: 'localhost:3000' }, 'request')
    log.info({ ...request, host: 'garden.sites.localhost:3000', path: '/' }, 'request')
    expect(lines().map(line => stripVTControlCharacters(line))).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d GET \/admin 200 12 ms$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d GET garden\.sites\.localhost:3000\/ 200 12 ms$/),
    ])
  })

  test('shows a message and its fields on one line if the message is not a request', async () => {
    const { log, lines } = await logTo(true)
    log.warn({ line: 'disk full' }, 'database')
    expect(lines().map(line => stripVTControlCharacters(line))).toEqual([
      expect.stringMatching(/WARN: database.*disk full/),
    ])
  })
})

test('the log outside a terminal consists of JSON lines with all fields', async () => {
  const { log, lines } = await logTo(false)
  log.info({ ...request, host: 'localhost:3000' }, 'request')
  await expect
    .poll(() => lines().map(line => JSON.parse(line) as unknown))
    .toEqual([{ level: 30, time: expect.any(Number), msg: 'request', host: 'localhost:3000', ...request }])
})

test('the log outside a terminal collects lines for a short time, but writes a fatal error immediately', async () => {
  const { log, lines } = await logTo(false)
  log.info('one')
  log.info('two')
  expect(lines()).toEqual([])
  log.fatal('three')
  expect(lines()).toHaveLength(3)
  log.info('four')
  await expect.poll(lines).toHaveLength(1)
})

describe('the level of a request', () => {
  const logged: { path: string; level: number }[] = []
  const log = logRequests(pino({ level: 'debug' }, { write: line => void logged.push(JSON.parse(line)) }))
  const server = createServer((req, res) => {
    log(req, res)
    res.writeHead(req.url?.includes('missing') ? 404 : 200).end()
  })
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => void server.close())

  test.each([
    ['GET', '/admin', 'info'],
    ['GET', '/admin/assets/index-1.js', 'debug'],
    ['GET', '/favicon.svg?v=1', 'debug'],
    ['GET', '/healthz', 'debug'],
    ['GET', '/readyz', 'debug'],
    ['GET', '/admin/assets/missing.js', 'info'],
    ['POST', '/v1/spaces/a.css', 'info'],
    ['GET', '/v1/spaces', 'info'],
  ])('%s %s: %s', async (method, path, level) => {
    logged.length = 0
    const { port } = server.address() as AddressInfo
    await (await fetch(`http://127.0.0.1:${port}${path}`, { method })).text()
    await expect.poll(() => logged.map(line => pino.levels.labels[line.level])).toEqual([level])
  })
})
