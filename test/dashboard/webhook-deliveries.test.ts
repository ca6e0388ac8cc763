/** Deliveries to webhooks: in which order they are sent, and what happens when a receiver fails. */
import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { takeDueWebhooks } from '../../db/queries/webhooks.ts'
import { inTransaction } from '../../db/transaction.ts'
import { webhookSender } from '../../facades/http/webhook-sender.ts'
import { trimDeliveries } from '../../routers/accounts/trim.ts'
import { historyLimits, limits } from '../../routers/api/rules.ts'
import { trimHistory } from '../../routers/content/history/retention.ts'
import type { TestSpace } from '../support/test-service.ts'
import { type AddedWebhook, of, put, stateOf, status, useWebhookService } from '../support/webhooks.ts'

const started = useWebhookService()

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

const deliveriesOf = ({ owner, subdomain }: TestSpace, { id }: AddedWebhook) =>
  owner.webhooks.deliveries({ subdomain, webhook_id: id })

/** Lets the webhook's next retry be due, and delivers. */
const retry = async (space: TestSpace, webhook: AddedWebhook) => {
  const { next_attempt_at: next } = await stateOf(space, webhook)
  started.pass(Date.parse(next!) - started.now().getTime() + 1)
  await started.deliver()
}

test.each<[string, (res: ServerResponse) => void, { status: number | null; error: string | null }]>([
  ['answers 500', status(500), { status: 500, error: null }],
  ['answers 404', status(404), { status: 404, error: null }],
  [
    'redirects to this machine',
    res => res.writeHead(302, { location: 'https://127.0.0.1/inside' }).end(),
    { status: 302, error: null },
  ],
  [
    'redirects for good',
    res => res.writeHead(308, { location: '/other' }).end(),
    { status: 308, error: null },
  ],
  [
    'hangs up',
    res => res.destroy(),
    { status: null, error: 'its host could not be reached (socket hang up)' },
  ],
])(
  'a receiver that %s gets the same message again, and nothing after it before',
  async (_, answer, result) => {
    const space = await started.service.createSpace()
    const webhook = await started.add(space)
    webhook.answer = answer
    await put(space, 'a')
    await started.deliver()
    await put(space, 'b')
    await started.deliver()
    expect(webhook.changes()).toEqual(['record a created'])
    expect((await deliveriesOf(space, webhook))[0]).toMatchObject({
      state: 'waiting',
      attempts: 1,
      ...result,
    })
    expect((await stateOf(space, webhook)).failing_since).not.toBeNull()

    await retry(space, webhook)
    expect(webhook.changes()).toEqual(['record a created', 'record a created'])
    const [first, second] = webhook.messages
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.body).toBe(first!.body)

    webhook.answer = status(200)
    webhook.messages.length = 0
    await retry(space, webhook)
    expect(webhook.changes()).toEqual(['record a created', 'record b created'])
    expect(await stateOf(space, webhook)).toMatchObject({ failing_since: null, next_attempt_at: null })
    expect((await deliveriesOf(space, webhook)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 3],
      ['delivered', 1],
    ])
  },
)

test.each([
  ['https://10.0.0.1/hook', 'its host is not on the public internet'],
  ['https://127.0.0.2/hook', 'its host is not on the public internet'],
  ['https://[::1]/hook', 'its host is not on the public internet'],
  ['https://inside.test/hook', 'its host is not on the public internet'],
])('nothing is sent to %s', async (url, error) => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space, { url })
  expect(await stateOf(space, webhook)).toMatchObject({ state: 'untested' })
  expect(await deliveriesOf(space, webhook)).toMatchObject([
    { state: 'failed', status: null, error, attempts: 1 },
  ])
})

test('a receiver that does not answer in time has failed', async () => {
  const send = webhookSender({ resolve: () => new Promise(() => {}), isAllowed: () => true, timeout: 1 })
  const sent = send(new URL('https://client.test/'), {}, '{}', new AbortController().signal)
  await expect(sent).rejects.toThrow('it took longer than 0.001 s')
})

test('the pauses between attempts grow, until the webhook is switched off after three days', async () => {
  const space = await started.service.createSpace()
  const guest = await space.join()
  const webhook = await started.add(space)
  webhook.answer = status(503)
  await put(space, 'a')
  await started.deliver()
  const pauses: number[] = []
  for (;;) {
    const { state, next_attempt_at: next } = await stateOf(space, webhook)
    if (state !== 'active') break
    const [last] = await deliveriesOf(space, webhook)
    pauses.push((Date.parse(next!) - Date.parse(last!.attempted_at!)) / SECOND)
    await retry(space, webhook)
  }
  const { firstPause, factor, longestPause, days } = limits.webhookRetries
  for (const [n, pause] of pauses.entries()) {
    const base = Math.min(firstPause * factor ** n, longestPause)
    expect(pause).toBeGreaterThanOrEqual(0.8 * base - 1)
    expect(pause).toBeLessThanOrEqual(1.2 * base + 1)
  }
  const total = pauses.reduce((sum, pause) => sum + pause, 0)
  expect(total).toBeGreaterThanOrEqual((days * DAY) / SECOND)
  expect(await stateOf(space, webhook)).toMatchObject({ off_reason: 'failing', next_attempt_at: null })
  expect((await deliveriesOf(space, webhook))[0]).toMatchObject({
    state: 'paused',
    attempts: pauses.length + 1,
  })

  const { events } = await space.owner.audit.ofSpace({ subdomain: space.subdomain, topic: 'webhooks' })
  const host = new URL(webhook.url).host
  expect(events.map(({ kind, label, reason }) => [kind, label, reason])).toEqual([
    ['webhook_switched_off', host, 'failing'],
    ['webhook_added', host, null],
  ])
  for (const person of [space.owner, guest])
    expect((await person.notifications.list({ cursor: null })).notifications).toMatchObject([
      { kind: 'webhook_switched_off', text: host, space: { subdomain: space.subdomain } },
    ])

  // Nothing is sent while it is off, and nothing is missing afterwards.
  const sent = webhook.messages.length
  await put(space, 'b')
  started.pass(DAY)
  await started.deliver()
  expect(webhook.messages).toHaveLength(sent)
  webhook.answer = status(204)
  webhook.messages.length = 0
  await space.owner.webhooks.switch({ ...of(space, webhook), is_on: true })
  await started.deliver()
  expect(webhook.changes()).toEqual(['record a created', 'record b created'])
})

test('a receiver that answers 410 is switched off at once', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  webhook.answer = status(410)
  await put(space, 'a')
  await started.deliver()
  expect(await stateOf(space, webhook)).toMatchObject({ state: 'off', off_reason: 'gone' })
  expect((await space.owner.notifications.list({ cursor: null })).notifications).toMatchObject([
    { kind: 'webhook_switched_off' },
  ])
  expect(webhook.messages).toHaveLength(1)
})

test('a person can switch a webhook off and on; it goes on where it was', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  await space.owner.webhooks.switch({ ...of(space, webhook), is_on: false })
  await put(space, 'a')
  await started.deliver()
  expect(webhook.messages).toEqual([])
  expect(await stateOf(space, webhook)).toMatchObject({ state: 'off', off_reason: 'person' })
  // A test shows whether the receiver works again.
  await space.owner.webhooks.test(of(space, webhook))
  await started.deliver()
  expect(webhook.messages.map(({ event }) => event.type)).toEqual(['test'])
  expect(await stateOf(space, webhook)).toMatchObject({ state: 'off' })
  await space.owner.webhooks.switch({ ...of(space, webhook), is_on: true })
  await started.deliver()
  expect(webhook.changes()).toEqual(['record a created'])
})

test('changes that the history no longer has are reported as missing', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  await put(space, 'kept')
  await started.deliver()
  const { revision: after } = webhook.messages[0]!.event.data.changes[0]!
  await space.owner.webhooks.switch({ ...of(space, webhook), is_on: false })
  for (let n = 0; n < 8; n++) await put(space, 'often', n)
  const database = started.service.core.database
  const { id } = await database
    .selectFrom('space_names')
    .where('subdomain', '=', space.subdomain)
    .select('id')
    .executeTakeFirstOrThrow()
  const kept = { days: 90, versions: 5, bytes: historyLimits.mib * 1_048_576 }
  await trimHistory(database, id, kept, new Date(Date.now() + 91 * DAY))
  await space.owner.webhooks.switch({ ...of(space, webhook), is_on: true })
  webhook.messages.length = 0
  await started.deliver()
  // Eight changes, of which the first three are gone.
  expect(webhook.messages.map(({ event: { data } }) => [data.changes.length, data.missed])).toEqual([
    [5, { after, until: after + 3 }],
  ])

  // The same is true for an item that someone deletes permanently.
  await space.owner.webhooks.switch({ ...of(space, webhook), is_on: false })
  await put(space, 'secret')
  await space.api.delete('/data/secret')
  const { changes } = await space.owner.history.list({ subdomain: space.subdomain })
  await space.owner.history.erase({ subdomain: space.subdomain, change_id: changes[0]!.id })
  await space.owner.webhooks.switch({ ...of(space, webhook), is_on: true })
  webhook.messages.length = 0
  await started.deliver()
  expect(webhook.messages.map(({ event: { data } }) => [data.changes, data.missed])).toEqual([
    [[], { after: after + 8, until: after + 10 }],
  ])
  await put(space, 'next')
  await started.deliver()
  expect(webhook.messages[1]!.event.data.missed).toBeNull()
})

test('a delivery can be sent again, with the same id and body', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  await put(space, 'a')
  await started.deliver()
  const { id } = (await deliveriesOf(space, webhook))[0]!
  const again = { ...of(space, webhook), delivery_id: id }
  expect((await space.owner.webhooks.payload(again)).body).toBe(webhook.messages[0]!.body)
  webhook.answer = status(500)
  await space.owner.webhooks.resend(again)
  await started.deliver()
  // Nobody waits for it, so it is not sent a third time, and does not hold up what follows.
  expect((await deliveriesOf(space, webhook))[0]).toMatchObject({ state: 'failed', status: 500, attempts: 2 })
  webhook.answer = status(204)
  await put(space, 'b')
  await started.deliver()
  expect(webhook.changes()).toEqual(['record a created', 'record a created', 'record b created'])
  expect(webhook.messages.map(({ headers }) => headers['webhook-id'])).toEqual([
    id,
    id,
    expect.not.stringMatching(id),
  ])
})

test('a receiver that accepts a test gets what waits for its next attempt at once', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  webhook.answer = status(500)
  await put(space, 'a')
  await started.deliver()
  webhook.answer = status(204)
  await space.owner.webhooks.test(of(space, webhook))
  await started.deliver()
  expect(webhook.messages.map(({ event }) => event.type)).toEqual([
    'content.changed',
    'test',
    'content.changed',
  ])
})

/** Makes a receiver hold its answers. Returns a function that gives them, and answers at once from then on. */
const hold = (webhook: AddedWebhook) => {
  const held: ServerResponse[] = []
  webhook.answer = res => void held.push(res)
  return () => {
    webhook.answer = status(204)
    for (const res of held) res.writeHead(204).end()
  }
}
const got = (webhook: AddedWebhook, count: number) => expect.poll(() => webhook.messages.length).toBe(count)

test('a slow receiver delays no other, and an account waits only for its own', async () => {
  const slow = await started.service.createSpace()
  const hooks = await Promise.all(Array.from({ length: limits.webhooks }, () => started.add(slow)))
  const releases = hooks.map(hold)
  const other = await started.service.createSpace()
  const webhook = await started.add(other)
  await put(slow, 'a')
  const dispatcher = started.another()
  onTestFinished(() => dispatcher.stop())
  await dispatcher.wake()
  await dispatcher.send()
  const begun = () => hooks.filter(({ messages }) => messages.length > 0).length
  await expect.poll(begun).toBe(5)
  await put(other, 'b')
  await dispatcher.wake()
  await dispatcher.send()
  await got(webhook, 1)
  expect(begun()).toBe(5)
  for (const release of releases) release()
  await dispatcher.settled()
  expect(hooks.map(({ messages }) => messages.length)).toEqual(hooks.map(() => 1))
})

test('of several processes, one sends at a time, and the others go on when it dies', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  const release = hold(webhook)
  await put(space, 'a')
  const processes = [started.another(), started.another(), started.another()]
  await Promise.all(processes.map(({ wake }) => wake()))
  await Promise.all(processes.map(({ send }) => send()))
  await got(webhook, 1)
  await put(space, 'b')
  for (const { wake, send } of processes) {
    await wake()
    await send()
  }
  expect(webhook.messages).toHaveLength(1)
  release()
  await Promise.all(processes.map(({ settled }) => settled()))
  await started.deliver()
  expect(webhook.changes()).toEqual(['record a created', 'record b created'])

  // A process that takes a webhook and dies leaves it to the others after the lease.
  await put(space, 'c')
  await processes[0]!.wake()
  const lease = new Date(started.now().getTime() + 20_000)
  await inTransaction(started.service.core.database, sql =>
    takeDueWebhooks(sql, started.now(), lease, { total: 50, ofAccount: 50 }),
  )
  await started.deliver()
  expect(webhook.messages).toHaveLength(2)
  started.pass(20_001)
  await started.deliver()
  expect(webhook.changes().at(-1)).toBe('record c created')
})

test('a process that stops interrupts a delivery, which another one repeats', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  hold(webhook)
  await put(space, 'a')
  const dispatcher = started.another()
  await dispatcher.wake()
  await dispatcher.send()
  await got(webhook, 1)
  await dispatcher.stop()
  expect((await deliveriesOf(space, webhook))[0]).toMatchObject({ state: 'waiting', attempts: 0 })
  webhook.answer = status(204)
  await started.deliver()
  expect(webhook.messages.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array(2).fill(webhook.messages[0]!.headers['webhook-id']),
  )
})

test('nothing is delivered while the person who added the webhook is suspended', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  await put(space, 'a')
  const { database } = started.service.core
  const suspend = (at: Date | null) =>
    database
      .updateTable('accounts')
      .set({ suspended_at: at, suspension_reason: at && 'spam' })
      .where('handle', '=', space.owner.handle)
      .execute()
  await suspend(new Date())
  await started.deliver()
  expect(webhook.messages).toEqual([])
  await suspend(null)
  await started.deliver()
  expect(webhook.changes()).toEqual(['record a created'])
})

test('a bounded number of deliveries is kept, for a month', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  const { database } = started.service.core
  // As after many deliveries.
  await database
    .insertInto('webhook_deliveries')
    .values(
      Array.from({ length: limits.webhookDeliveries }, (_, n) => ({
        id: `old${n}`,
        webhook_id: webhook.id,
        kind: 'changes' as const,
        body: '{}',
        changes: 1,
        created_at: started.now(),
        delivered_at: started.now(),
      })),
    )
    .execute()
  webhook.answer = status(500)
  await put(space, 'a')
  await started.deliver()
  expect(await deliveriesOf(space, webhook)).toHaveLength(limits.webhookDeliveries)
  // What is still to be sent is kept, however old it is.
  await trimDeliveries(database, new Date(started.now().getTime() + (limits.webhookDeliveryDays + 1) * DAY))
  expect(await deliveriesOf(space, webhook)).toMatchObject([{ state: 'waiting' }])
})
