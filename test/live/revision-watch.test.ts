import { expect, it } from 'vitest'
import { RevisionWatch } from '../../routers/api/revision-watch.ts'
import { limits } from '../../routers/api/rules.ts'
import { errorCodeOf } from '../support/problems.ts'
import { startTestService, type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

const never = new AbortController().signal

const stateOf = async ({ subdomain }: TestSpace) =>
  service.core.database
    .selectFrom('spaces')
    .where('subdomain', '=', subdomain)
    .select(['id', 'revision'])
    .executeTakeFirstOrThrow()

const wait = (
  id: string,
  after: string,
  { accountId = 'somebody', signal = never, revisions = service.core.revisions } = {},
) => revisions.waitForChange(id, after, { accountId, signal })

/** A watch that is in the same process, but hears of no write of the service. */
const watchOfOtherProcess = () =>
  new RevisionWatch(service.core.database, error => {
    throw error
  })

it('a watcher hears of a write of its process before the write is answered', async () => {
  const space = await service.createSpace()
  const { id } = await stateOf(space)
  const heard: (string | null)[] = []
  const unwatch = service.core.revisions.watch(id, {
    accountId: 'somebody',
    onRevision: revision => heard.push(revision),
    onStop: () => {},
  })
  await space.api.post('/pages', { slug: 'a', html: 'x' })
  unwatch()
  expect(heard).toContain((await stateOf(space)).revision)
})

it('a write ends the wait for a change, with the revision of the write', async () => {
  const space = await service.createSpace()
  const { id, revision } = await stateOf(space)
  const waiting = wait(id, revision)
  await space.api.post('/pages', { slug: 'a', html: 'x' })
  expect(await waiting).toBe((await stateOf(space)).revision)
})

it('a change that the caller does not know yet ends the wait at once', async () => {
  const space = await service.createSpace()
  const { id, revision } = await stateOf(space)
  await space.api.post('/pages', { slug: 'a', html: 'x' })
  expect(await wait(id, revision)).toBe((await stateOf(space)).revision)
})

it('a write of another process ends the wait', async () => {
  const space = await service.createSpace()
  const { id, revision } = await stateOf(space)
  const waiting = wait(id, revision, { revisions: watchOfOtherProcess() })
  await space.api.post('/pages', { slug: 'a', html: 'x' })
  expect(await waiting).toBe((await stateOf(space)).revision)
})

it('the deletion of the space ends the wait', async () => {
  const space = await service.createSpace()
  const { id, revision } = await stateOf(space)
  const waiting = wait(id, revision)
  await space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })
  expect(await waiting).toBeNull()
})

it('a caller that has waited long enough gets the revision that it knows', async () => {
  const { id, revision } = await stateOf(await service.createSpace())
  const patience = new AbortController()
  const waiting = wait(id, revision, { signal: patience.signal })
  patience.abort()
  expect(await waiting).toBe(revision)
  expect(await wait(id, revision, { signal: patience.signal })).toBe(revision)
})

it('while nobody watches, no query asks for revisions', async () => {
  const { id, revision } = await stateOf(await service.createSpace())
  const revisions = watchOfOtherProcess()
  const patience = new AbortController()
  const waiting = wait(id, revision, { signal: patience.signal, revisions })
  expect(revisions.isAsking).toBe(true)
  patience.abort()
  await waiting
  await expect.poll(() => revisions.isAsking, { timeout: 20_000 }).toBe(false)
})

it('an account can have only so many watchers, and does not take those of others', async () => {
  const { id, revision } = await stateOf(await service.createSpace())
  const patience = new AbortController()
  const waiting = Array.from({ length: limits.watchersPerAccount }, () =>
    wait(id, revision, { accountId: 'many', signal: patience.signal }),
  )
  expect(await errorCodeOf(wait(id, revision, { accountId: 'many' }))).toBe('rate_limited')
  const other = wait(id, revision, { accountId: 'another', signal: patience.signal })
  patience.abort()
  expect(await Promise.all([...waiting, other])).toContain(revision)
  expect(await wait(id, revision, { accountId: 'many', signal: patience.signal })).toBe(revision)
})

it('all waits end when the service stops', async () => {
  const stopping = await startTestService()
  const space = await stopping.createSpace()
  const { id, revision } = await stopping.core.database
    .selectFrom('spaces')
    .where('subdomain', '=', space.subdomain)
    .select(['id', 'revision'])
    .executeTakeFirstOrThrow()
  const waiting = wait(id, revision, { revisions: stopping.core.revisions })
  await Promise.all([stopping.stop(), expect(waiting).resolves.toBe(revision)])
})
