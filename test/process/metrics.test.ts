import { beforeAll, describe, expect, test } from 'vitest'
import { type TestSpace, useWorld } from '../support/world.ts'

const world = useWorld({ metricsPort: 0 })
let space: TestSpace

beforeAll(async () => {
  space = await world.space()
})

const scrape = async (path = '/metrics') => fetch(`http://127.0.0.1:${world.service.metricsPort}${path}`)

/** The value of a metric with exactly these labels, in the order in which they are declared. */
const metric = async (name: string) => {
  const text = await (await scrape()).text()
  const line = text.split('\n').find(line => line.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

describe('the metrics', () => {
  test('are served on a port of their own, in the format of Prometheus', async () => {
    const response = await scrape()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect((await scrape('/')).status).toBe(404)
    expect((await fetch(`${world.root}/metrics`)).status).toBe(404)
  })

  test('count calls by operation and code, over every facade', async () => {
    const count = (code: string) => metric(`space_site_calls_total{operation="pages.list",code="${code}"}`)
    await space.api.get('/pages')
    await space.owner.pages.list({ subdomain: space.subdomain })
    await world.rest().get(`/spaces/${space.subdomain}/pages`)
    expect(await count('ok')).toBe(2)
    expect(await count('unauthorized')).toBe(1)
    expect(await metric('space_site_call_duration_seconds_count{operation="pages.list"}')).toBe(3)
  })

  test('count requests by facade, method and status', async () => {
    const count = (labels: string) => metric(`space_site_http_requests_total{${labels}}`)
    await fetch(`${world.root}/healthz`)
    await fetch(`${world.root}/v1/nowhere`, { method: 'PATCH' })
    await expect.poll(() => count('facade="healthz",method="GET",status="200"')).toBe(1)
    await expect.poll(() => count('facade="v1",method="PATCH",status="404"')).toBe(1)
  })

  test('count unknown methods and paths under one name', async () => {
    const { status } = await fetch(`${world.root}/wp-login.php`, { method: 'PROPFIND' })
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
        'space_site_request_body_bytes',
        'space_site_unsent_response_bytes',
        'space_site_database_connections{state="waiting"}',
      ].map(metric),
    )
    expect(values).toEqual([1, 1, 0, 0, 0, 0, 0, 0])
    expect(await metric('space_site_database_connections{state="idle"}')).toBeGreaterThan(0)
    expect(await metric('space_site_connections')).toBeGreaterThan(0)
    expect(await metric('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    // The database of this test has a disk of its own.
    expect(await metric('space_site_free_disk_bytes')).toBeUndefined()
  })
})
