import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TracingSettings } from '../../server/telemetry/tracing.ts'
import { freePort } from '../support/program.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** The body of a request to the collector. */
interface Received {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

let collector: Server
let endpoint: string
let received: { path: string; body: string }[]

beforeAll(async () => {
  collector = createServer((req, res) => {
    let body = ''
    req.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    req.on('end', () => {
      received.push({ path: req.url!, body })
      res.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
})
afterAll(() => void collector.close())

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

const spansIn = (all: typeof received) =>
  all
    .flatMap(({ body }) => (JSON.parse(body) as Received).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))

/**
 * Starts a service that sends traces, sends it requests, and returns what the collector received.
 *
 * @param expected names of the spans to wait for. The collector can receive spans after the service has stopped,
 *   because the service waits only a second for the collector when it stops
 */
const traced = async (
  settings: Partial<TracingSettings>,
  requests: (service: TestService) => Promise<unknown>,
  expected: string[] = [],
) => {
  received = []
  const service = await startTestService({
    tracing: { url: `${endpoint}/v1/traces`, serviceName: 'garden', share: 1, ...settings },
  })
  await requests(service)
  await service.stop()
  await expect.poll(() => spansIn(received).map(({ name }) => name)).toEqual(expect.arrayContaining(expected))
  const resourceSpans = received.flatMap(({ body }) => (JSON.parse(body) as Received).resourceSpans)
  return {
    spans: spansIn(received),
    resources: resourceSpans.map(({ resource }) => attributesOf(resource)),
    log: service.log,
  }
}

const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

const callOnce = async ({ root }: TestService) => {
  const response = await fetch(`${root}/trpc/accounts.entry?token=secret-in-a-query`, {
    headers: { traceparent: `00-${TRACE}-${PARENT}-01`, cookie: 'session=secret-in-a-cookie' },
  })
  expect(response.status).toBe(200)
  await fetch(`${root}/v1/me`, { headers: { authorization: 'Bearer secret-in-a-header' } })
}

test('a request continues the trace of its caller, down to its database queries', async () => {
  const { spans, resources } = await traced({}, callOnce, ['GET accounts.entry', 'GET me.get'])
  expect(received[0]!.path).toBe('/v1/traces')
  expect(resources[0]).toMatchObject({ 'service.name': 'garden' })
  const root = spans.find(({ parentSpanId }) => parentSpanId === PARENT)!
  expect(root).toMatchObject({ traceId: TRACE, name: 'GET accounts.entry' })
  expect(attributesOf(root)).toMatchObject({
    'http.request.method': 'GET',
    'url.path': '/trpc/accounts.entry',
    'http.response.status_code': 200,
    'space_site.reference': expect.stringMatching(/^[2-9a-z]{16}$/) as string,
  })
  const children = spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)
  const operation = children.find(({ name }) => name === 'accounts.entry')!
  expect(attributesOf(operation)).toMatchObject({ 'space_site.code': 'ok' })
  const statements = children.map(child => attributesOf(child)['db.query.text'])
  expect(statements).toContainEqual(expect.stringMatching(/^select .*"accounts"/))

  const refused = spans.find(({ name }) => name === 'GET me.get')!
  expect(refused.traceId).not.toBe(TRACE)
  expect(attributesOf(refused)).toMatchObject({ 'http.response.status_code': 401 })
  expect(JSON.stringify(received)).not.toContain('secret-in')
})

test('a request is not traced if its caller marks the trace as not sampled', async () => {
  const { spans } = await traced({}, ({ root }) =>
    fetch(`${root}/v1/me`, { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } }),
  )
  expect(spans.filter(({ traceId }) => traceId === TRACE)).toEqual([])
})

test('no request is traced if the share of traced requests is 0', async () => {
  const { spans } = await traced({ share: 0 }, ({ root }) => fetch(`${root}/v1/me`))
  expect(spans.map(({ name }) => name)).toEqual([])
})

test('an unreachable collector is logged, and requests still work', async () => {
  const url = `http://127.0.0.1:${await freePort()}/v1/traces`
  const { log } = await traced({ url }, callOnce)
  expect(log.filter(({ msg }) => msg === 'Traces could not be sent')).toHaveLength(1)
})

test('a service that stops does not wait for a collector that does not respond', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1/traces`
  const service = await startTestService({ tracing: { url, serviceName: 'garden', share: 1 } })
  await callOnce(service)
  await service.stop()
  // This error comes from the service's own time limit. The exporter's limit, ten seconds, causes a different error.
  expect(service.log.filter(({ msg }) => msg === 'Traces could not be sent')).toMatchObject([
    { err: { message: 'The collector does not respond' } },
  ])
  silent.closeAllConnections()
  silent.close()
})
