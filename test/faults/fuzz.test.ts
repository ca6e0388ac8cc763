import http from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { fillAccount, fillSpace } from '../contract/resources.ts'
import { dashboardClient } from '../dashboard/support/dashboard-client.ts'
import type { WireResponse } from '../openapi/document-checker.ts'
import { useTestService } from '../support/test-service.ts'
import { seededRandom } from './fuzz/random.ts'
import { type Credentials, type FuzzRequest, requestGenerator } from './fuzz/requests.ts'
import { measureQuietTime } from './support/quiet-time.ts'
import { slowness } from './support/slowness.ts'

/** `FUZZ_REQUESTS` sets the number of requests, and `FUZZ_SEED` the seed, with which a run can be repeated. */
const COUNT = Number(process.env.FUZZ_REQUESTS ?? 3000)
const SEED = Number(process.env.FUZZ_SEED ?? 1)

/** Number of concurrent requests. */
const CONCURRENCY = 8

/**
 * Time in ms after which a response counts as hung. Time in which the machine was busy with other work does not count.
 * Higher on a machine with slower cores.
 */
const HANG = 2_000 * slowness()

/** Time in ms after which a request is aborted. */
const TIMEOUT = 60_000

/** Number of ids of each kind to remember for later requests. */
const KNOWN_IDS = 20

const service = useTestService({ anonymousCallsPerMinute: 10_000_000, dashboardCallsPerMinute: 10_000_000 })
let credentials: Credentials
const known: Record<string, string[]> = {}

beforeAll(async () => {
  const space = await service.createSpace()
  const { handle } = space.owner
  const browser = dashboardClient(service)
  await browser.api.sessions.create.mutate({ handle, password: 'correct horse battery' })
  credentials = {
    key: await space.key(...SPACE_SCOPES),
    token: await space.owner.token(...USER_SCOPES),
    cookie: browser.cookie()!,
  }
  const values = { ...(await fillSpace(space)), ...(await fillAccount(space.owner)) }
  for (const [name, value] of Object.entries(values)) known[name] = [value]
})

const send = ({ method, path, headers, body }: FuzzRequest): Promise<WireResponse> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.root)
    const signal = AbortSignal.timeout(TIMEOUT)
    const all = { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) }
    const req = http.request({ hostname, port, method, path, headers: all, signal, agent: false }, res => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () =>
        resolve({
          status: res.statusCode!,
          headers: new Headers(
            Object.entries(res.headersDistinct).flatMap(([name, all = []]) =>
              all.map(value => [name, value] as [string, string]),
            ),
          ),
          text: decoded(Buffer.concat(chunks), res.headers['content-encoding']).toString(),
        }),
      )
    })
    req.on('error', reject)
    req.end(body)
  })

/** Decompresses a body. */
const decoded = (body: Buffer, encoding: string | undefined): Buffer => {
  if (body.length === 0) return body
  if (encoding === 'br') return brotliDecompressSync(body)
  return encoding === 'gzip' ? gunzipSync(body) : body
}

/** Remembers the id of a resource that a request created, so that later requests use it. */
const learn = (parameter: string, text: string) => {
  const [, id] = /"id":"([2-9a-z]{16})"/.exec(text) ?? []
  if (id === undefined) return
  const ids = known[parameter] ?? []
  known[parameter] = ids
  ids.push(id)
  if (ids.length > KNOWN_IDS) ids.shift()
}

const shortened = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text)

test(`${COUNT} generated requests cause no internal error, no undocumented response and no hang`, {
  timeout: 120_000 + COUNT * 200,
}, async ({ annotate }) => {
  const generate = requestGenerator(credentials, known, seededRandom(SEED))
  const failures = new Map<string, string>()
  const statuses: Record<number, number> = {}
  let slowest = { ms: 0, name: '' }
  let left = COUNT
  const client = async () => {
    while (left-- > 0 && failures.size < 20) {
      const request = generate()
      const quietTime = measureQuietTime()
      const response = await send(request).catch((error: Error) => error)
      const ms = quietTime()
      if (ms > slowest.ms) slowest = { ms, name: request.name }
      const errors = response instanceof Error ? [response.message] : request.check(response)
      if (ms > HANG) errors.push(`took ${ms} ms`)
      if (!(response instanceof Error)) {
        statuses[response.status] = (statuses[response.status] ?? 0) + 1
        if (request.creates && response.status < 300) learn(request.creates, response.text)
      }
      for (const error of errors)
        failures.set(
          `${request.name}: ${error}`,
          [
            `${request.method} ${shortened(request.path)} ${JSON.stringify(request.headers)}`,
            shortened(request.body?.toString() ?? ''),
            response instanceof Error ? '' : `${response.status} ${shortened(response.text)}`,
          ].join('\n'),
        )
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: CONCURRENCY }, client))
  const seconds = Math.round((performance.now() - start) / 1000)
  await annotate(`${seconds} s; slowest ${slowest.ms} ms (${slowest.name}); ${JSON.stringify(statuses)}`)
  expect(Object.fromEntries(failures), `FUZZ_SEED=${SEED}`).toEqual({})
  expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
})
