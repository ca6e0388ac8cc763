import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { clientConfig } from '../../db/database.ts'
import { OpenConnections, watchDatabase } from '../../db/watch-database.ts'
import { copyDatabase } from '../support/database.ts'
import { startSplittingProxy } from '../support/split-responses.ts'

/** Watches a database. Returns what the watch has reported: whether the server is up, and why not. */
const watch = (url: string, connections = new OpenConnections()) => {
  const reports: unknown[] = []
  const health = watchDatabase(clientConfig({ url }), connections, (...report) => reports.push(report))
  onTestFinished(() => health.stop())
  return reports
}

test('a server that takes longer than the timeout of a probe for each message does not count as down', async () => {
  const proxy = await startSplittingProxy(inject('database').url)
  onTestFinished(() => proxy.stop())
  const reports = watch(proxy.url)
  // Long enough for the first probe, whose answer has 15 messages.
  await sleep(1_000)
  proxy.delay = 800
  await sleep(3_000)
  expect(reports).toEqual([])
})

test('queries fail once their server counts as down', async () => {
  const proxy = await startSplittingProxy(inject('database').url)
  onTestFinished(() => proxy.stop())
  const connections = new OpenConnections()
  const client = new Client({ connectionString: proxy.url })
  client.on('error', () => {})
  connections.followClient(client)
  await client.connect()
  proxy.delay = 3_600_000
  const query = client.query('select 1')
  const reports = watch(proxy.url, connections)
  await expect(query).rejects.toThrow('Connection terminated')
  expect(reports).toEqual([[false, 'timeout expired']])
}, 60_000)

test('a server that has no connection left does not count as down', async () => {
  const url = new URL(await copyDatabase(inject('database')))
  const database = url.pathname.slice(1)
  const client = new Client({ connectionString: url.href })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`create role ${database} login connection limit 0`)
  url.username = database
  const reports = watch(url.href)
  await sleep(1_500)
  expect(reports).toEqual([])
})
