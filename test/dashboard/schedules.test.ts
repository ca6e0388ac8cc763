/** Saves and deletions of pages at a chosen time. Tests move the times of what is scheduled, never the clock. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { newId } from '../../db/id.ts'
import { limits } from '../../routers/api/rules.ts'
import { scheduleRunner } from '../../routers/content/schedules/carry-out.ts'
import { copyDatabase } from '../support/database.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import {
  type Person,
  startTestService,
  type TestService,
  type TestSpace,
  useTestService,
} from '../support/test-service.ts'
import { concurrentlyInSpace, holdLocks, lockSpace } from '../support/transactions.ts'

const shared = useTestService()
const HOUR = 60 * 60_000
let service: TestService
let space: TestSpace
let owner: Person
let subdomain: string

const use = async (started: TestService) => {
  service = started
  space = await service.createSpace()
  ;({ owner, subdomain } = space)
}

beforeEach(() => use(shared))

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
const fieldsOf = (html: string, slug = 'about') => ({ slug, kind: 'static' as const, html })
const createPage = () => owner.pages.create({ subdomain, ...fieldsOf('first') })

/** Keeps a draft of a page, as an editor does that has just opened it, or of a new page. */
const keep = async (thing: string, fields: ReturnType<typeof fieldsOf>, person = owner) => {
  const page = await person.pages.get({ subdomain, page_id: thing }).catch(() => null)
  const base = page && { fields: fieldsOf(page.html, page.slug), version: page.updated_at }
  await person.unsaved.keep({ subdomain, kind: 'page', thing, is_new: page === null, fields, base })
}

const scheduleSave = (thing: string, person = owner) =>
  person.schedules.save({ subdomain, thing, at: inHours(24) })

const list = (person = owner) => person.schedules.list({ subdomain })
const html = async (page_id: string) => (await owner.pages.get({ subdomain, page_id })).html
const slugs = async () => (await owner.pages.list({ subdomain })).data.map(({ slug }) => slug)

/** Carries out what is due, as the service itself does every few seconds. */
const carryOutDue = async (at: TestService = service) => {
  const errors: unknown[] = []
  const runner = scheduleRunner(at.core, error => errors.push(error))
  await runner.start()
  await runner.ended()
  expect(errors).toEqual([])
}

/** Lets everything that is scheduled in a space be due, in the order of its times. */
const makeDue = (name = subdomain) =>
  sql`update schedules set due_at = due_at - interval '400 days'
    where space_id = (select id from space_names where subdomain = ${name})`.execute(service.core.database)

const pending = async () => (await list()).filter(({ failure }) => failure === null)

/** Lets everything that is scheduled in the space be due, and carries it out. */
const carryOut = async (at: TestService = service) => {
  await makeDue()
  await carryOutDue(at)
  // The service itself may have begun to carry it out.
  await expect.poll(pending).toEqual([])
}

describe('a scheduled save', () => {
  test('saves the draft as it was when it was scheduled, by the person who scheduled it', async () => {
    const { id } = await createPage()
    const other = await space.join()
    await keep(id, fieldsOf('scheduled', 'renamed'), other)
    await scheduleSave(id, other)
    await keep(id, fieldsOf('changed later', 'renamed'), other)
    expect(await list()).toMatchObject([
      { action: 'save', thing: id, is_new: false, slug: 'renamed', handle: other.handle, failure: null },
    ])
    await carryOutDue()
    expect(await html(id)).toBe('first')
    await carryOut()
    expect([await html(id), await slugs()]).toEqual(['scheduled', ['renamed']])
    const [change] = (await owner.history.list({ subdomain })).changes
    expect(change).toMatchObject({ action: 'change', thing: id, actor: { handle: other.handle } })
    const { draft } = await other.unsaved.get({ subdomain, kind: 'page', thing: id })
    expect(draft?.fields).toEqual(fieldsOf('changed later', 'renamed'))
    expect(await list()).toEqual([])
  })

  test('discards the draft if it was not changed any more', async () => {
    const { id } = await createPage()
    await keep(id, fieldsOf('  scheduled'))
    await scheduleSave(id)
    await carryOut()
    expect(await html(id)).toBe('scheduled')
    expect(await owner.unsaved.list({ subdomain })).toEqual({ drafts: [] })
  })

  test('creates a page that was never saved, to which its preview links go on', async () => {
    const thing = newId()
    await keep(thing, fieldsOf('new', 'launch'))
    await owner.previewLinks.create({ subdomain, thing })
    await scheduleSave(thing)
    expect(await slugs()).toEqual([])
    await carryOut()
    expect(await slugs()).toEqual(['launch'])
    expect(await owner.previewLinks.list({ subdomain })).toMatchObject([{ slug: 'launch', shows: 'saved' }])
  })

  test('ends when the draft of a new page is saved by hand', async () => {
    const thing = newId()
    await keep(thing, fieldsOf('new', 'launch'))
    await scheduleSave(thing)
    await keep(thing, fieldsOf('newer', 'start'))
    const { id } = await owner.pages.create({ subdomain, ...fieldsOf('newer', 'start') })
    await owner.unsaved.discard({ subdomain, kind: 'page', thing, saved_as: id })
    expect(await list()).toEqual([])
  })

  test('of a space that is full is refused', async () => {
    const small = await startTestService({ creationLimits: { ...shared.core.creationLimits, pages: 1 } })
    onTestFinished(() => small.stop())
    await use(small)
    const thing = newId()
    await keep(thing, fieldsOf('new', 'launch'))
    await scheduleSave(thing)
    await createPage()
    await carryOut()
    expect(await list()).toMatchObject([{ thing, slug: 'launch', failure: 'limit_reached' }])
    expect(await slugs()).toEqual(['about'])
  })

  test.each<[string, (id: string, other: Person) => Promise<unknown>, string]>([
    [
      'someone has saved the page',
      id => owner.pages.update({ subdomain, page_id: id, html: 'theirs' }),
      'precondition_failed',
    ],
    ['the page was deleted', id => owner.pages.delete({ subdomain, page_id: id }), 'page_not_found'],
    [
      'another page has its slug',
      () => owner.pages.create({ subdomain, ...fieldsOf('x', 'renamed') }),
      'slug_taken',
    ],
    ['its author has left', (_, other) => other.participants.leave({ subdomain }), 'space_not_found'],
  ])('changes nothing and says why if %s', async (_, happens, failure) => {
    const { id } = await createPage()
    const other = await space.join()
    await keep(id, fieldsOf('scheduled', 'renamed'), other)
    await scheduleSave(id, other)
    await happens(id, other)
    const before = await owner.history.list({ subdomain })
    await carryOut()
    expect(await owner.history.list({ subdomain })).toEqual(before)
    expect(await list()).toMatchObject([{ thing: id, slug: 'renamed', handle: other.handle, failure }])
    const { notifications } = await other.notifications.list({})
    const notice = { kind: 'schedule_failed', text: 'renamed', reason: failure, space: { subdomain } }
    const hasLeft = failure === 'space_not_found'
    expect(notifications).toMatchObject(hasLeft ? [] : [notice])
    // If nobody else would know, the owners are told.
    expect((await owner.notifications.list({})).notifications).toMatchObject(hasLeft ? [notice] : [])
    await carryOut()
    expect((await other.notifications.list({})).notifications).toEqual(notifications)
    const [failed] = await list()
    await owner.schedules.cancel({ subdomain, schedule_id: failed!.id })
    expect(await list()).toEqual([])
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'is refused',
      async id => {
        await owner.pages.update({ subdomain, page_id: id, html: 'theirs' })
        await carryOut()
      },
    ],
    ['is cancelled', async () => owner.schedules.cancel({ subdomain, schedule_id: (await list())[0]!.id })],
  ])('that %s leaves the draft, even if it was discarded meanwhile', async (_, ends) => {
    const { id } = await createPage()
    const editor = await space.join(undefined, 'editor')
    await keep(id, fieldsOf('scheduled'), editor)
    const get = async () => (await editor.unsaved.get({ subdomain, kind: 'page', thing: id })).draft
    const scheduled = await get()
    await scheduleSave(id, editor)
    await editor.unsaved.discard({ subdomain, kind: 'page', thing: id })
    await ends(id)
    expect(await get()).toEqual({ ...scheduled, updated_at: expect.any(String) as string })
  })

  test('does not replace a newer draft when it is cancelled', async () => {
    const { id } = await createPage()
    await keep(id, fieldsOf('scheduled'))
    const { id: schedule_id } = await scheduleSave(id)
    await keep(id, fieldsOf('newer'))
    await owner.schedules.cancel({ subdomain, schedule_id })
    const { draft } = await owner.unsaved.get({ subdomain, kind: 'page', thing: id })
    expect(draft?.fields).toEqual(fieldsOf('newer'))
  })

  test('needs a draft that can be saved, of the version that is saved now', async () => {
    const { id } = await createPage()
    expect(await errorCodeOf(scheduleSave(id))).toBe('draft_not_found')
    await keep(id, fieldsOf('', 'Not a slug'))
    expect((await errorFields(scheduleSave(id))).toSorted()).toEqual(['html', 'slug'])
    await keep(id, fieldsOf('mine'))
    await owner.pages.update({ subdomain, page_id: id, html: 'theirs' })
    expect(await errorCodeOf(scheduleSave(id))).toBe('precondition_failed')
    expect(await list()).toEqual([])
  })
})

describe('a scheduled deletion', () => {
  test('deletes the page, whatever it contains by then, and the history restores it with its id', async () => {
    const { id } = await createPage()
    await owner.schedules.delete({ subdomain, page_id: id, at: inHours(1) })
    expect(await list()).toMatchObject([{ action: 'delete', thing: id, slug: 'about', failure: null }])
    await owner.pages.update({ subdomain, page_id: id, html: 'second' })
    await carryOut()
    expect(await slugs()).toEqual([])
    const [deletion] = (await owner.history.list({ subdomain })).changes
    expect(deletion).toMatchObject({ action: 'delete', thing: id, actor: { handle: owner.handle } })
    await owner.history.restore({ subdomain, change_id: deletion!.id, side: 'before' })
    expect(await html(id)).toBe('second')
  })

  test('of a page that was deleted already has nothing left to do', async () => {
    const { id } = await createPage()
    await owner.schedules.delete({ subdomain, page_id: id, at: inHours(1) })
    await owner.pages.delete({ subdomain, page_id: id })
    await carryOut()
    expect(await list()).toEqual([])
    expect((await owner.notifications.list({})).notifications).toEqual([])
  })

  test('needs a page', async () => {
    const call = owner.schedules.delete({ subdomain, page_id: newId(), at: inHours(1) })
    expect(await errorCodeOf(call)).toBe('page_not_found')
  })
})

describe('what is scheduled', () => {
  test('can be cancelled by every participant, and by nobody else', async () => {
    const { id } = await createPage()
    const other = await space.join()
    const foreign = await service.createSpace()
    const { id: schedule_id } = await owner.schedules.delete({ subdomain, page_id: id, at: inHours(1) })
    const call = foreign.owner.schedules.cancel({ subdomain: foreign.subdomain, schedule_id })
    expect(await errorCodeOf(call)).toBe('schedule_not_found')
    await other.schedules.cancel({ subdomain, schedule_id })
    await carryOut()
    expect(await slugs()).toEqual(['about'])
    expect(await errorCodeOf(other.schedules.cancel({ subdomain, schedule_id }))).toBe('schedule_not_found')
  })

  test('has to be in the future, but not too far', async () => {
    const { id: page_id } = await createPage()
    const at = (time: string) => owner.schedules.delete({ subdomain, page_id, at: time })
    for (const time of [inHours(-1), inHours(24 * 367), ''])
      expect(await errorFields(at(time))).toEqual(['at'])
    expect(await list()).toEqual([])
    await at(inHours(24 * 365))
  })

  test('is there once for each page; what failed is replaced', async () => {
    const { id } = await createPage()
    await keep(id, fieldsOf('mine'))
    await scheduleSave(id)
    expect(await errorCodeOf(scheduleSave(id))).toBe('already_scheduled')
    await owner.schedules.delete({ subdomain, page_id: id, at: inHours(48) })
    expect(await list()).toMatchObject([{ action: 'save' }, { action: 'delete' }])
    const [, deletion] = await list()
    await owner.schedules.cancel({ subdomain, schedule_id: deletion!.id })
    await owner.pages.update({ subdomain, page_id: id, html: 'theirs' })
    await carryOut()
    expect(await list()).toMatchObject([{ failure: 'precondition_failed' }])
    await owner.unsaved.discard({ subdomain, kind: 'page', thing: id })
    await keep(id, fieldsOf('mine again'))
    await scheduleSave(id)
    expect(await list()).toMatchObject([{ failure: null }])
  })

  test('is limited to 100 in a space, also if it is scheduled at once', async () => {
    const things = Array.from({ length: limits.schedules + 2 }, () => newId())
    for (const thing of things) await keep(thing, fieldsOf('x', `p-${thing}`))
    const codes = await Promise.all(things.map(thing => errorCodeOf(scheduleSave(thing))))
    expect(codes.filter(code => code === undefined)).toHaveLength(100)
    expect(codes.filter(code => code === 'limit_reached')).toHaveLength(2)
  })

  test('is limited to 500 for an account', async () => {
    const { id } = await createPage()
    const more = await Promise.all(Array.from({ length: 5 }, () => service.createSpace(undefined, owner)))
    for (const { subdomain } of more)
      await sql`
        insert into schedules (id, space_id, account_id, action, thing, due_at)
        select space.id || n, space.id, account.id, 'delete', n::text, now() + interval '1 day'
        from generate_series(1, 100) as n, space_names as space, accounts as account
        where space.subdomain = ${subdomain} and account.handle = ${owner.handle}`.execute(
        service.core.database,
      )
    const call = (person: Person) => person.schedules.delete({ subdomain, page_id: id, at: inHours(1) })
    expect(await errorCodeOf(call(owner))).toBe('limit_reached')
    expect(await errorCodeOf(call(await space.join()))).toBeUndefined()
  })

  test('is carried out in the order of its times, also long after them', async () => {
    const { id } = await createPage()
    const thing = newId()
    await keep(thing, fieldsOf('new', 'about'))
    await owner.schedules.save({ subdomain, thing, at: inHours(2) })
    await owner.schedules.delete({ subdomain, page_id: id, at: inHours(1) })
    // Ids are random. Here, their order is the opposite of that of the times.
    await sql`update schedules set id = case action when 'save' then '1' else '2' end || id
      where thing in (${id}, ${thing})`.execute(service.core.database)
    await carryOut()
    expect(await list()).toEqual([])
    const { data } = await owner.pages.list({ subdomain })
    expect(data).toMatchObject([{ slug: 'about' }])
    expect(data[0]!.id).not.toBe(id)
  })

  test('is not carried out if it is cancelled while the write waits', async () => {
    const { id: page_id } = await createPage()
    const { id: schedule_id } = await owner.schedules.delete({ subdomain, page_id, at: inHours(1) })
    await makeDue()
    await concurrentlyInSpace(service, subdomain, [() => carryOutDue()], () =>
      owner.schedules.cancel({ subdomain, schedule_id }),
    )
    expect(await slugs()).toEqual(['about'])
    expect((await owner.notifications.list({})).notifications).toEqual([])
  })

  test('does not wait for another space that is locked', async () => {
    const locked = space
    const { id: page_id } = await createPage()
    await owner.schedules.delete({ subdomain, page_id, at: inHours(1) })
    const lock = await holdLocks(service, tx => lockSpace(tx, locked.subdomain))
    await makeDue()
    await use(service)
    const { id } = await createPage()
    await owner.schedules.delete({ subdomain, page_id: id, at: inHours(1) })
    await makeDue()
    const errors: unknown[] = []
    const runner = scheduleRunner(service.core, error => errors.push(error))
    await runner.start()
    await expect.poll(slugs).toEqual([])
    await lock.rollback()
    await runner.ended()
    expect(errors).toEqual([])
  })

  test('waits while the service cannot write', async () => {
    const health = { ...service.core.health, isWritable: false }
    const runner = scheduleRunner({ ...service.core, health, database: undefined as never }, () => {})
    await expect(runner.start()).resolves.toBeUndefined()
  })

  test('ends with its space, and with the account of its author', async () => {
    const { id: page_id } = await createPage()
    const other = await space.join()
    await other.schedules.delete({ subdomain, page_id, at: inHours(1) })
    await other.accounts.delete({ confirm: other.handle })
    expect(await list()).toEqual([])
    await owner.schedules.delete({ subdomain, page_id, at: inHours(1) })
    const count = async () =>
      (
        await service.core.database
          .selectFrom('schedules')
          .where('thing', '=', page_id)
          .select('id')
          .execute()
      ).length
    expect(await count()).toBe(1)
    await owner.spaces.delete({ subdomain, confirm: subdomain })
    expect(await count()).toBe(0)
  })

  test('is carried out once, also if several processes do so at once', async () => {
    const databaseUrl = await copyDatabase(inject('database'))
    const [first, second] = [await startTestService({ databaseUrl }), await startTestService({ databaseUrl })]
    onTestFinished(async () => void (await Promise.all([first.stop(), second.stop()])))
    await use(first)
    const pages = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        owner.pages.create({ subdomain, ...fieldsOf('first', `page-${n}`) }),
      ),
    )
    for (const { id, slug } of pages) {
      await keep(id, fieldsOf('second', slug))
      await scheduleSave(id)
    }
    await Promise.all([carryOut(first), carryOut(second), carryOut(first), carryOut(second)])
    for (const { id } of pages) expect(await html(id)).toBe('second')
    const { changes } = await owner.history.list({ subdomain })
    expect(changes.filter(({ action }) => action === 'change')).toHaveLength(5)
    expect(await list()).toEqual([])
  })

  test('survives a restart, and is carried out by the service itself', async () => {
    const databaseUrl = await copyDatabase(inject('database'))
    const first = await startTestService({ databaseUrl })
    await use(first)
    const { id } = await createPage()
    await owner.schedules.delete({ subdomain, page_id: id, at: inHours(1) })
    await first.stop()
    const second = await startTestService({ databaseUrl })
    onTestFinished(() => second.stop())
    await sql`update schedules set due_at = now()`.execute(second.core.database)
    const count = async () => (await second.core.database.selectFrom('pages').select('id').execute()).length
    await expect.poll(count, { timeout: 100_000 }).toBe(0)
  })
})
