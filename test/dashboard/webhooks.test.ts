/** Managing webhooks: what an address must be, how many there can be, who sees what, and what deletes them. */
import { expect, test } from 'vitest'
import { problemOf } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import type { EVENTS } from '../../routers/spaces/webhooks/events.ts'
import { errorCodeOf } from '../support/problems.ts'
import type { TestSpace } from '../support/test-service.ts'
import { useWebhookService } from '../support/webhooks.ts'
import { unpack } from '../transfer/support/archives.ts'
import { signInMover } from '../transfer/support/browser-session.ts'

const started = useWebhookService()

const events = ['page.created'] as (typeof EVENTS)[number][]
const url = 'https://receiver.example/hook?token=secret'
const add = ({ owner, subdomain }: TestSpace, address = url) =>
  owner.webhooks.add({ subdomain, url: address, events })
const list = ({ owner, subdomain }: TestSpace) => owner.webhooks.list({ subdomain })

test('the secret is shown once, and the audit log has only the host', async () => {
  const space = await started.service.createSpace()
  const { id, secret } = await add(space)
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(await list(space)).toEqual([
    {
      id,
      url,
      events,
      owner: space.owner.handle,
      created_at: expect.any(String),
      state: 'untested',
      off_reason: null,
      off_at: null,
      failing_since: null,
      next_attempt_at: null,
      previous_until: null,
    },
  ])
  const { secret: second } = await space.owner.webhooks.rotate({ subdomain: space.subdomain, webhook_id: id })
  expect(second).not.toBe(secret)
  await space.owner.webhooks.remove({ subdomain: space.subdomain, webhook_id: id })
  expect(await list(space)).toEqual([])
  const log = await space.owner.audit.ofSpace({ subdomain: space.subdomain, topic: 'webhooks' })
  expect(log.events.map(({ kind, label }) => [kind, label])).toEqual([
    ['webhook_removed', 'receiver.example'],
    ['webhook_secret_rotated', 'receiver.example'],
    ['webhook_added', 'receiver.example'],
  ])
  for (const text of [secret, second, 'token=secret']) expect(JSON.stringify(log)).not.toContain(text)
})

let refusing: Promise<TestSpace> | undefined
test.each([
  ['http://receiver.example/hook', 'must begin with https://'],
  ['ftp://receiver.example/hook', 'must begin with https://'],
  ['receiver.example/hook', 'must be an address such as'],
  ['https://', 'must be an address such as'],
  ['https://user:password@receiver.example/', 'must not contain a user name or password'],
  ['https://receiver.example/#here', 'must not contain #'],
  ['', '1 to 2048 characters'],
])('%s is refused, with the reason', async (address, reason) => {
  refusing ??= started.service.createSpace()
  const error: unknown = await add(await refusing, address).catch((error: unknown) => error)
  const { problem, circumstances } = problemOf(error)
  expect([problem, circumstances.errors]).toMatchObject([
    'validation_failed',
    [{ field: 'url', message: expect.stringContaining(reason) }],
  ])
})

test('an address has a maximum length', async () => {
  const space = await started.service.createSpace()
  const longest = 'https://receiver.example/'.padEnd(limits.webhookUrl, 'a')
  expect(await errorCodeOf(add(space, `${longest}a`))).toBe('validation_failed')
  await add(space, longest)
})

test('a webhook needs events, and only those that exist', async () => {
  const space = await started.service.createSpace()
  const adding = (chosen: string[]) =>
    space.owner.webhooks.add({ subdomain: space.subdomain, url, events: chosen as typeof events })
  expect(await errorCodeOf(adding([]))).toBe('validation_failed')
  expect(await errorCodeOf(adding(['space.renamed']))).toBe('validation_failed')
  await adding(['record.deleted', 'page.created', 'page.created'])
  expect((await list(space))[0]!.events).toEqual(['page.created', 'record.deleted'])
})

const countOf = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length

test('a space and an account have limits, which calls at the same time do not exceed', async () => {
  const space = await started.service.createSpace()
  const results = await Promise.allSettled(Array.from({ length: limits.webhooks + 3 }, () => add(space)))
  expect(countOf(results)).toBe(limits.webhooks)
  expect(await errorCodeOf(add(space))).toBe('limit_reached')

  const person = space.owner
  const more = limits.webhooksOfAccount - limits.webhooks
  const spaces = await Promise.all(
    Array.from({ length: more / limits.webhooks }, () => started.service.createSpace(undefined, person)),
  )
  const full = await Promise.allSettled(
    spaces.flatMap(other => Array.from({ length: limits.webhooks - 1 }, () => add(other))),
  )
  expect(countOf(full)).toBe(more - spaces.length)
  const last = await Promise.all(
    Array.from({ length: spaces.length + 2 }, () => started.service.createSpace(undefined, person)),
  )
  expect(countOf(await Promise.allSettled(last.map(other => add(other))))).toBe(spaces.length)
  // Others in the space still can.
  const guest = await last[0]!.join()
  await guest.webhooks.add({ subdomain: last[0]!.subdomain, url, events })
})

test('tests and repeated deliveries have a limit per minute', async () => {
  const space = await started.service.createSpace()
  const { id } = await add(space)
  const sending = { subdomain: space.subdomain, webhook_id: id }
  for (let n = 0; n < limits.webhookTestsPerMinute; n++) await space.owner.webhooks.test(sending)
  expect(await errorCodeOf(space.owner.webhooks.test(sending))).toBe('rate_limited')
  expect(await errorCodeOf(space.owner.webhooks.resend({ ...sending, delivery_id: id }))).toBe('rate_limited')
})

test('a webhook that was never tested cannot be switched on, and unknown ones do nothing', async () => {
  const space = await started.service.createSpace()
  const { id } = await add(space)
  const { webhooks } = space.owner
  const own = { subdomain: space.subdomain, webhook_id: id }
  expect(await errorCodeOf(webhooks.switch({ ...own, is_on: true }))).toBe('webhook_untested')
  expect(await errorCodeOf(webhooks.resend({ ...own, delivery_id: id }))).toBe('delivery_not_found')
  expect(await errorCodeOf(webhooks.payload({ ...own, delivery_id: id }))).toBe('delivery_not_found')

  // The webhook of one space is unknown in another one.
  const other = await started.service.createSpace(undefined, space.owner)
  const foreign = { subdomain: other.subdomain, webhook_id: id }
  for (const call of [
    () => webhooks.remove(foreign),
    () => webhooks.rotate(foreign),
    () => webhooks.test(foreign),
    () => webhooks.switch({ ...foreign, is_on: false }),
    () => webhooks.resend({ ...foreign, delivery_id: id }),
  ])
    expect(await errorCodeOf(call())).toBe('webhook_not_found')
  expect(await webhooks.deliveries(foreign)).toEqual([])
  expect(await list(space)).toHaveLength(1)
})

test.each<[string, (space: TestSpace) => Promise<unknown>]>([
  ['space is deleted', ({ owner, subdomain }) => owner.spaces.delete({ subdomain, confirm: subdomain })],
  [
    'person who added it leaves',
    async space => {
      await space.join()
      await space.owner.participants.leave({ subdomain: space.subdomain })
    },
  ],
  [
    'account is deleted',
    async space => {
      await space.join()
      await space.owner.accounts.delete({ confirm: space.owner.handle })
    },
  ],
])('a webhook and its deliveries are deleted when the %s', async (_, end) => {
  const space = await started.service.createSpace()
  const webhook = await started.add(space)
  const { database } = started.service.core
  const rows = async () => [
    await database.selectFrom('webhooks').where('id', '=', webhook.id).select('id').execute(),
    await database
      .selectFrom('webhook_deliveries')
      .where('webhook_id', '=', webhook.id)
      .select('id')
      .execute(),
  ]
  expect((await rows()).map(({ length }) => length)).toEqual([1, 1])
  await end(space)
  expect(await rows()).toEqual([[], []])
  await started.deliver()
})

test('an export has neither addresses nor secrets', async () => {
  const mover = await signInMover(started.service)
  const space = await mover.space()
  const { secret } = await add(space)
  await space.api.post('/pages', { slug: 'home', html: 'kept' })
  const files = await unpack(await mover.archive(space.subdomain))
  const exported = [...files].map(([path, bytes]) => `${path}\n${bytes.toString()}`).join('\n')
  expect(exported).toContain('kept')
  for (const text of [secret, 'receiver.example', 'webhook']) expect(exported).not.toContain(text)
})
