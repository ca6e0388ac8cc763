/** Messages to webhooks: what is told, to whom, and how it is signed. */
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { limits } from '../../routers/api/rules.ts'
import { signedHeaders } from '../../routers/spaces/webhooks/signature.ts'
import { of, put, stateOf, status, useWebhookService } from '../support/webhooks.ts'

const started = useWebhookService()

const HOUR = 3_600_000

test('messages are signed as Standard Webhooks says', () => {
  // The example of the specification's libraries.
  const headers = signedHeaders(
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    '{"test": 2432232314}',
    new Date(1_614_265_330_000),
  )
  const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': `${signature} ${signature}`,
  })
})

test('changes are delivered from the moment in which the receiver has accepted a test', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space, { isTested: false })
  await put(space, 'before')
  await started.deliver()
  expect(webhook.messages).toEqual([])

  webhook.answer = status(500)
  await space.owner.webhooks.test(of(space, webhook))
  await started.deliver()
  expect(await stateOf(space, webhook)).toMatchObject({ state: 'untested', next_attempt_at: null })

  webhook.answer = status(204)
  await space.owner.webhooks.test(of(space, webhook))
  await started.deliver()
  expect(await stateOf(space, webhook)).toMatchObject({ state: 'active' })
  expect(webhook.messages.map(({ event }) => event.type)).toEqual(['test', 'test'])
  expect(webhook.messages[1]!.event.data).toEqual({ space: space.subdomain })

  await put(space, 'after')
  await started.deliver()
  expect(webhook.changes()).toEqual(['record after created'])
})

test('each change is told with its author, time and revision, and signed', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  const page = await space.api.post<{ id: string }>('/pages', { slug: 'home', html: 'one' })
  await space.api.patch(`/pages/${page.body.id}`, { slug: 'start' })
  await space.owner.spaces.rename({ subdomain: space.subdomain, name: 'Renamed' })
  await space.api.delete(`/pages/${page.body.id}`)
  await space.api.post('/parts', { name: 'footer', html: 'x' })
  await put(space, 'hours')
  await put(space, 'hours', 2)
  await space.api.post('/files', { name: 'a.txt', content: 'a', encoding: 'text' })
  await started.deliver()
  expect(webhook.changes()).toEqual([
    'page home created',
    'page start changed',
    'page start deleted',
    'part footer created',
    'record hours created',
    'record hours changed',
    'file a.txt created',
  ])
  const changes = webhook.messages.flatMap(({ event }) => event.data.changes)
  expect(changes[0]).toEqual({
    kind: 'page',
    id: page.body.id,
    name: 'home',
    action: 'created',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    revision: expect.any(Number),
    by: { kind: 'key', handle: space.owner.handle, label: 'test', agent: null },
  })
  expect(changes[4]).toMatchObject({ id: 'hours' })
  expect(changes.map(({ revision }) => revision)).toEqual(
    changes.map(({ revision }) => revision).toSorted((a, b) => a - b),
  )
  const { headers, body, event } = webhook.messages[0]!
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'space-site' })
  expect(new Webhook(webhook.secret).verify(body, headers)).toEqual(event)
  const other = await started.add(space)
  expect(() => new Webhook(other.secret).verify(body, headers)).toThrow('No matching signature')
})

test('only the chosen events are told', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space, { events: ['record.created', 'page.deleted'] })
  const page = await space.api.post<{ id: string }>('/pages', { slug: 'home', html: 'one' })
  await put(space, 'a')
  await put(space, 'a', 2)
  await space.api.delete(`/pages/${page.body.id}`)
  await started.deliver()
  expect(webhook.changes()).toEqual(['record a created', 'page home deleted'])
})

test('what one caller wrote at once arrives as one event, in parts if it has very many changes', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  const names = Array.from({ length: limits.manyWrites }, (_, n) => `n${String(n).padStart(2, '0')}`)
  await put(space, 'before')
  await started.deliver()
  await put(space, 'first')
  await space.owner.edits.many({
    subdomain: space.subdomain,
    pages: names.map(slug => ({ slug, html: slug })),
    parts: names.map(name => ({ name, html: name })),
    records: names.map(key => ({ key, value: key })),
  })
  await put(space, 'last')
  await started.deliver()
  const sizes = webhook.messages.map(({ event: { data } }) => [data.changes.length, data.continues])
  expect(sizes).toEqual([
    [1, false],
    [1, false],
    [limits.webhookChanges, true],
    [3 * limits.manyWrites - limits.webhookChanges + 1, false],
  ])
  const changes = webhook.changes()
  expect(changes.slice(0, 2)).toEqual(['record before created', 'record first created'])
  expect(changes.at(-1)).toBe('record last created')
  const ofKind = (kind: string) => names.map(name => `${kind} ${name} created`)
  expect(changes.slice(2, -1).toSorted()).toEqual([...ofKind('page'), ...ofKind('part'), ...ofKind('record')])
})

test('after a rotation, messages are signed with both secrets for a day', async () => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  const { secret } = await space.owner.webhooks.rotate(of(space, webhook))
  await put(space, 'a')
  await started.deliver()
  const { body, headers } = webhook.messages[0]!
  for (const known of [secret, webhook.secret]) expect(new Webhook(known).verify(body, headers)).toBeTruthy()
  expect((await stateOf(space, webhook)).previous_until).not.toBeNull()

  started.pass(25 * HOUR)
  await put(space, 'b')
  await started.deliver()
  expect(webhook.messages[1]!.headers['webhook-signature']).toMatch(/^v1,\S+$/)
})
