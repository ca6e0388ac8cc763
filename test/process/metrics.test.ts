import { connect } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { VERSION } from '../../server/version.ts'
import { toolClient } from '../mcp/support/tool-client.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

// The service has a renderer of its own. The metrics of a shared one would include the cut-offs of other test files.
const service = useTestService({ metricsPort: 0, renderProcesses: 1 })
let space: TestSpace

beforeAll(async () => {
  space = await service.createSpace()
})

const scrape = async (path = '/metrics') => fetch(`http://127.0.0.1:${service.metricsPort}${path}`)

/** Returns the value of a metric. `name` includes its labels, in the order in which the metric declares them. */
const metric = async (name: string) => {
  const text = await (await scrape()).text()
  const line = text.split('\n').find(line => line.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

describe('the metrics', () => {
  test('are served on their own port, in the format of Prometheus', async () => {
    const response = await scrape()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect((await scrape('/')).status).toBe(404)
    expect((await fetch(`${service.root}/metrics`)).status).toBe(404)
  })

  test('count calls by operation and code, over every facade', async () => {
    const count = (code: string) => metric(`space_site_calls_total{operation="pages.list",code="${code}"}`)
    await space.api.get('/pages')
    await space.owner.pages.list({ subdomain: space.subdomain })
    await service.rest().get(`/spaces/${space.subdomain}/pages`)
    expect(await count('ok')).toBe(2)
    expect(await count('unauthorized')).toBe(1)
    expect(await metric('space_site_call_duration_seconds_count{operation="pages.list"}')).toBe(3)
  })

  test('count messages to the tool servers by method; unknown methods share one name', async () => {
    const client = toolClient(service, '/mcp', await space.key('pages'), '2025-11-25')
    for (const method of ['ping', 'tools/list', 'made/up', 'made/up/too']) await client.send(method, {})
    await client.send('tools/call', { name: 'unknown', arguments: {} })
    const count = (operation: string, code: string) =>
      metric(`space_site_calls_total{operation="mcp.${operation}",code="${code}"}`)
    expect(await count('ping', 'ok')).toBe(1)
    expect(await count('tools/list', 'ok')).toBe(1)
    expect(await count('other', 'rpc_error')).toBe(2)
    expect(await count('tools/call', 'rpc_error')).toBe(1)
  })

  test('count requests by facade, method and status', async () => {
    const count = (labels: string) => metric(`space_site_http_requests_total{${labels}}`)
    await fetch(`${service.root}/healthz`)
    await fetch(`${service.root}/v1/nowhere`, { method: 'PATCH' })
    await expect.poll(() => count('facade="healthz",method="GET",status="200"')).toBe(1)
    await expect.poll(() => count('facade="v1",method="PATCH",status="404"')).toBe(1)
  })

  test('count requests for a domain of a site as those for the site, and name the version', async () => {
    await sql`insert into domains (space_id, name, base, is_main, created_at, verified_at, is_here, next_check_at, checks)
      select id, 'bakery.example', 'bakery.example', true, now(), now(), true, now() + interval '1 day', 0
      from space_names where subdomain = ${space.subdomain}`.execute(service.core.database)
    await service.core.verifiedDomains.refresh()
    const { status } = await requestHost(service, 'bakery.example', '/robots.txt')
    const name = `space_site_http_requests_total{facade="site",method="GET",status="${status}"}`
    await expect.poll(() => metric(name)).toBe(1)
    expect(await metric(`space_site_info{version="${VERSION}"}`)).toBe(1)
    expect(await (await fetch(`${service.root}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION })
  })

  test('count a request whose client left before the response as aborted', async () => {
    const { hostname, port } = new URL(service.root)
    const socket = connect(Number(port), hostname)
    const key = await space.key('pages')
    socket.write(
      `POST /v1/spaces/${space.subdomain}/pages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    await expect.poll(() => metric('space_site_request_body_bytes')).toBeGreaterThan(0)
    socket.destroy()
    const name = 'space_site_http_requests_total{facade="v1",method="POST",status="aborted"}'
    await expect.poll(() => metric(name)).toBe(1)
  })

  test('count requests with unknown methods or paths under one name', async () => {
    const { status } = await fetch(`${service.root}/wp-login.php`, { method: 'PROPFIND' })
    const name = `space_site_http_requests_total{facade="main",method="other",status="${status}"}`
    await expect.poll(() => metric(name)).toBe(1)
  })

  test('show the state of the process', async () => {
    const values = await Promise.all(
      [
        'space_site_database_up',
        'space_site_writable',
        'space_site_renderer_jobs',
        'space_site_renderer_jobs_waiting',
        'space_site_renderer_cut_offs_total',
        'space_site_connections_refused_total',
        'space_site_request_body_bytes',
        'space_site_unsent_response_bytes',
        'space_site_database_connections{state="waiting"}',
        'space_site_database_reads',
      ].map(metric),
    )
    expect(values).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    expect(await metric('space_site_database_read_connections')).toBeGreaterThan(0)
    // A write leaves an idle connection in the pool. The pool closes the connection after some seconds, so write before
    // each reading of the metric.
    const idleAfterWrite = async () => {
      await space.api.put('/data/any', { value: 1 })
      return metric('space_site_database_connections{state="idle"}')
    }
    await expect.poll(idleAfterWrite).toBeGreaterThan(0)
    // Polls, because reading the metrics resets the lag, and the next sample is taken up to ten milliseconds later.
    await expect.poll(() => metric('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    // In tests, the service does not know on which disk its database is, so this metric is missing.
    expect(await metric('space_site_free_disk_bytes')).toBeUndefined()
  })

  test('count open connections', async () => {
    const { hostname, port } = new URL(service.root)
    const socket = connect(Number(port), hostname)
    await expect.poll(() => metric('space_site_connections')).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => metric('space_site_connections')).toBe(0)
  })
})

describe.each([
  ['of its client', { total: 100, perClient: 2 }],
  ['of all clients', { total: 2, perClient: 100 }],
])('a connection above the limit %s', (_, limits) => {
  const limited = useTestService({
    metricsPort: 0,
    connections: { ...limits, pendingBytes: 1_000_000, idle: 30_000, stop: 10_000 },
  })

  test('is counted as refused', async () => {
    const { hostname, port } = new URL(limited.root)
    const sockets = Array.from({ length: 5 }, () => connect(Number(port), hostname).on('error', () => {}))
    await vi.waitFor(async () => {
      const text = await (await fetch(`http://127.0.0.1:${limited.metricsPort}/metrics`)).text()
      expect(text).toContain('space_site_connections_refused_total 3\n')
    }, 30_000)
    for (const socket of sockets) socket.destroy()
  })
})
