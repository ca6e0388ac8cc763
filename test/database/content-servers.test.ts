import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readMetric } from '../faults/support/service.ts'
import { copyDatabase } from '../support/database.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

// Simulates Citus: its table of servers, and its function that probes one server. The coordinator has no content.
const CLUSTER = `
  create table pg_dist_node (nodeid int, nodename text, nodeport int, noderole text, shouldhaveshards boolean,
    condition text);
  insert into pg_dist_node values (1, 'coordinator', 5432, 'primary', false, 'down'), (2, 'one', 5432, 'primary', true, 'up'),
    (3, 'two', 5432, 'primary', true, 'up'), (4, 'standby', 5432, 'secondary', true, 'down');
  create function citus_check_connection_to_node(host text, port int) returns boolean language sql as $$
    select condition = 'up' from pg_dist_node, pg_sleep(case condition when 'frozen' then 60 else 0 end)
    where nodename = host and nodeport = port $$`

let client: Client
let service: TestService

beforeAll(async () => {
  const databaseUrl = await copyDatabase(inject('database'))
  client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(CLUSTER)
  service = await startTestService({ databaseUrl, metricsPort: 0 })
})
afterAll(async () => {
  await service.stop()
  await client.end()
})

const readiness = async () => {
  const response = await fetch(`${service.root}/readyz`)
  return { status: response.status, body: await response.json() }
}

const READY = { status: 200, body: { status: 'ready' } }

const setCondition = (id: number, condition: 'up' | 'down' | 'frozen') =>
  client.query('update pg_dist_node set condition = $2 where nodeid = $1', [id, condition])

const missing = () => readMetric(service.metricsPort!, 'space_site_content_servers_missing')

describe('/readyz and the metrics', () => {
  test('name no server while all content servers respond', async () => {
    await setCondition(3, 'down')
    await expect.poll(missing).toBe(1)
    await setCondition(3, 'up')
    await expect.poll(missing).toBe(0)
    expect(await readiness()).toEqual(READY)
  })

  test.each(['down', 'frozen'] as const)('name a content server that is %s', async condition => {
    await setCondition(3, condition)
    await expect
      .poll(readiness)
      .toEqual({ status: 200, body: { status: 'ready', missing: ['content server 3'] } })
    expect(await missing()).toBe(1)
    await setCondition(3, 'up')
    await expect.poll(readiness).toEqual(READY)
    const logged = service.log.filter(({ server }) => server !== undefined).slice(-2)
    expect(logged.map(({ msg, server }) => ({ msg, server }))).toEqual([
      { msg: 'A content server does not respond', server: { id: 3, host: 'two', port: 5432 } },
      { msg: 'A content server responds again', server: { id: 3, host: 'two', port: 5432 } },
    ])
  })
})
