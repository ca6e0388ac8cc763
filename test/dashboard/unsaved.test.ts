import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../db/id.ts'
import { trimDrafts } from '../../routers/accounts/trim.ts'
import { limits, rules } from '../../routers/api/rules.ts'
import { trimHistory } from '../../routers/content/history/retention.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
const DAY = 24 * 60 * 60_000
let space: TestSpace
let owner: Person
let subdomain: string

beforeEach(async () => {
  space = await service.createSpace()
  ;({ owner, subdomain } = space)
})

const fieldsOf = (html: string) => ({ slug: 'home', kind: 'static' as const, html })
const createPage = () => owner.pages.create({ subdomain, ...fieldsOf('first') })
const keep = (thing: string, html: string, person = owner, is_new = false) =>
  person.unsaved.keep({
    subdomain,
    kind: 'page',
    thing,
    is_new,
    fields: fieldsOf(html),
    base: is_new ? null : { fields: fieldsOf('first'), version: 'x' },
  })
const read = (thing: string, person = owner) => person.unsaved.get({ subdomain, kind: 'page', thing })
const htmlOf = async (thing: string, person = owner) => (await read(thing, person)).draft?.fields

describe('a draft', () => {
  test('is returned with its latest fields and the version that they are based on', async () => {
    const { id } = await createPage()
    await keep(id, 'mine')
    const { updated_at } = await keep(id, 'mine, longer')
    expect(await read(id)).toEqual({
      draft: {
        kind: 'page',
        fields: fieldsOf('mine, longer'),
        base: { fields: fieldsOf('first'), version: 'x' },
        updated_at,
      },
    })
  })

  test('changes nothing in the responses of the API', async () => {
    const page = await createPage()
    const before = await Promise.all(['/pages', `/pages/${page.id}`, ''].map(path => space.api.get(path)))
    await keep(page.id, 'mine')
    await keep(newId(), 'new', owner, true)
    const after = await Promise.all(['/pages', `/pages/${page.id}`, ''].map(path => space.api.get(path)))
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  })

  test('is visible to its author only, but other participants see that it exists', async () => {
    const { id } = await createPage()
    const other = await space.join()
    const { updated_at } = await keep(id, 'mine')
    expect(await read(id, other)).toEqual({ draft: null })
    const seen = await other.unsaved.others({ subdomain, kind: 'page', thing: id })
    expect(seen).toEqual([{ handle: owner.handle, updated_at }])
    const { others } = await keep(id, 'theirs', other)
    expect(others.map(({ handle }) => handle)).toEqual([owner.handle])
    expect([await htmlOf(id), await htmlOf(id, other)]).toEqual([fieldsOf('mine'), fieldsOf('theirs')])
  })

  test('is neither replaced nor discarded by another window that has not loaded it', async () => {
    const { id } = await createPage()
    const place = { subdomain, kind: 'page' as const, thing: id }
    const [first, second] = [newId(), newId()]
    const keepFrom = (editor: string, html: string, continues: string | null) =>
      owner.unsaved.keep({ ...place, is_new: false, fields: fieldsOf(html), base: null, editor, continues })
    const { updated_at } = await keepFrom(first, 'of the first', null)
    expect(await errorCodeOf(keepFrom(second, 'of the second', null))).toBe('precondition_failed')
    expect(await errorCodeOf(keepFrom(second, 'x', '0000-01-01T00:00:00Z'))).toBe('precondition_failed')
    await owner.unsaved.discard({ ...place, editor: second, continues: null })
    expect(await htmlOf(id)).toEqual(fieldsOf('of the first'))
    // The first window sends its draft again, as if it had not received the response.
    await keepFrom(first, 'of the first again', null)
    expect(await errorCodeOf(keepFrom(second, 'of the second', '2020-01-01T00:00:00Z'))).toBe(
      'precondition_failed',
    )
    const latest = (await read(id)).draft!.updated_at
    await keepFrom(second, 'of the second', latest)
    expect(await htmlOf(id)).toEqual(fieldsOf('of the second'))
    await owner.unsaved.discard({ ...place, editor: second, continues: null })
    expect(await read(id)).toEqual({ draft: null })
    // The first window continues a draft that has been discarded. So the window creates the draft again.
    await keepFrom(first, 'of the first', updated_at)
    expect(await htmlOf(id)).toEqual(fieldsOf('of the first'))
  })

  test('can be discarded; discarding it again succeeds too', async () => {
    const { id } = await createPage()
    await keep(id, 'mine')
    for (let n = 0; n < 2; n++) await owner.unsaved.discard({ subdomain, kind: 'page', thing: id })
    expect(await read(id)).toEqual({ draft: null })
  })

  test('is listed by the name in the draft, even if the item was never saved', async () => {
    const page = await createPage()
    const thing = newId()
    await keep(page.id, 'mine')
    await service.core.database.orm.em
      .fork()
      .execute(`update drafts set updated_at = updated_at - interval '1 minute'`)
    await keep(thing, 'new', owner, true)
    const { drafts } = await owner.unsaved.list({ subdomain })
    expect(drafts).toMatchObject([
      { kind: 'page', thing, is_new: true, name: 'home' },
      { kind: 'page', thing: page.id, is_new: false, name: 'home' },
    ])
  })

  test('has the fields of its kind, even if a draft of another kind has the same id', async () => {
    const part = { fields: { name: 'nav', html: '' }, base: null }
    const record = { fields: { key: 'not yet valid!', text: '{"a":', description: '' }, base: null }
    const thing = newId()
    await owner.unsaved.keep({ subdomain, kind: 'part', thing, is_new: true, ...part })
    await owner.unsaved.keep({ subdomain, kind: 'record', thing, is_new: true, ...record })
    expect((await owner.unsaved.get({ subdomain, kind: 'part', thing })).draft).toMatchObject(part)
    expect((await owner.unsaved.get({ subdomain, kind: 'record', thing })).draft).toMatchObject(record)
  })

  test('is refused for an item that does not exist, and for fields that could never be saved', async () => {
    const { id } = await createPage()
    expect(await errorCodeOf(keep(newId(), 'x'))).toBe('page_not_found')
    expect(await errorFields(keep(id, 'x'.repeat(rules.page.html_max_length + 1)))).toEqual(['fields.html'])
    expect(await errorFields(keep(id, '\0'))).toEqual(['fields.html'])
    expect(await errorFields(keep('../x', 'x'))).toEqual(['thing'])
    const outsider = await service.signUp()
    expect(await errorCodeOf(keep(id, 'x', outsider))).toBe('space_not_found')
    expect(await read(id)).toEqual({ draft: null })
  })

  test('is refused above the maximum number of drafts of a space, but existing drafts can still change', async () => {
    const things = Array.from({ length: limits.editorDrafts }, () => newId())
    for (const thing of things) await keep(thing, 'x', owner, true)
    expect(await errorCodeOf(keep(newId(), 'x', owner, true))).toBe('limit_reached')
    await keep(things[0]!, 'changed', owner, true)
    expect(await htmlOf(things[0]!)).toEqual(fieldsOf('changed'))
  })

  test('is refused if the drafts of the space would together exceed their maximum size', async () => {
    // Each character has four bytes.
    const html = '🌱'.repeat(rules.page.html_max_length)
    const used = async () => {
      const rows = await service.core.database
        .selectFrom('drafts')
        .innerJoin('spaces', 'spaces.id', 'drafts.space_id')
        .where('spaces.subdomain', '=', subdomain)
        .select('drafts.content')
        .execute()
      return rows.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
    }
    await keep(newId(), html, owner, true)
    const each = await used()
    const count = Math.floor(limits.editorDraftBytes / each)
    for (let n = 1; n < count; n++) await keep(newId(), html, owner, true)
    const last = newId()
    await keep(last, '', owner, true)
    const free = limits.editorDraftBytes - (await used())
    const ofSize = (bytes: number) => '🌱'.repeat(Math.floor(bytes / 4)) + 'x'.repeat(bytes % 4)
    expect(await errorCodeOf(keep(last, ofSize(free + 1), owner, true))).toBe('limit_reached')
    await keep(last, ofSize(free), owner, true)
    expect(await used()).toBe(limits.editorDraftBytes)
  })
})

describe('a shared draft', () => {
  const share = (thing: string) => owner.unsaved.share({ subdomain, kind: 'page', thing })

  test('can be previewed by participants for a day, including its later changes', async () => {
    const thing = newId()
    const other = await space.join()
    await keep(thing, 'first', owner, true)
    const { draft_id, shared_until } = await share(thing)
    expect(Date.parse(shared_until) - Date.now()).toBeGreaterThan(23 * 60 * 60_000)
    const { updated_at } = await keep(thing, 'second', owner, true)
    expect(await other.unsaved.shared({ subdomain, draft_id })).toEqual({
      draft: { kind: 'page', fields: fieldsOf('second') },
      thing: null,
      handle: owner.handle,
      updated_at,
      shared_until,
    })
    await service.core.database.updateTable('drafts').set({ shared_until: new Date() }).execute()
    expect(await errorCodeOf(other.unsaved.shared({ subdomain, draft_id }))).toBe('draft_not_found')
    expect((await owner.unsaved.shared({ subdomain, draft_id })).handle).toBe(owner.handle)
  })

  test('was hidden from others until it was shared, and stays hidden from people outside the space', async () => {
    const thing = newId()
    const other = await space.join()
    await keep(thing, 'first', owner, true)
    const { id } = await service.core.database
      .selectFrom('drafts')
      .where('thing', '=', thing)
      .select('id')
      .executeTakeFirstOrThrow()
    expect(await errorCodeOf(other.unsaved.shared({ subdomain, draft_id: id }))).toBe('draft_not_found')
    await share(thing)
    const foreign = await service.createSpace()
    const call = foreign.owner.unsaved.shared({ subdomain: foreign.subdomain, draft_id: id })
    expect(await errorCodeOf(call)).toBe('draft_not_found')
    expect(await errorCodeOf(share(newId()))).toBe('draft_not_found')
  })
})

describe('drafts are deleted', () => {
  /** Deletes all changes of the space, as if they were too old. */
  const forgetHistory = async () => {
    const db = service.core.database
    const { id } = await db
      .selectFrom('spaces')
      .where('subdomain', '=', subdomain)
      .select('id')
      .executeTakeFirstOrThrow()
    // Above the size limit, the history deletes the changes of deleted items first.
    await trimHistory(service.core.database, id, { days: 90, versions: 20, bytes: 1 })
  }

  const count = async (thing: string) => {
    const query = service.core.database.selectFrom('drafts').where('thing', '=', thing).select('id')
    return (await query.execute()).length
  }

  test('90 days after the last change', async () => {
    const thing = newId()
    await keep(thing, 'x', owner, true)
    await trimDrafts(service.core.database, new Date(Date.now() + 89 * DAY))
    expect(await count(thing)).toBe(1)
    await trimDrafts(service.core.database, new Date(Date.now() + 91 * DAY))
    expect(await count(thing)).toBe(0)
  })

  test('once their item is deleted and can no longer be restored; until then they are only hidden', async () => {
    const { id } = await createPage()
    const other = newId()
    await keep(id, 'x')
    await keep(other, 'x', owner, true)
    await owner.pages.delete({ subdomain, page_id: id })
    expect((await owner.unsaved.list({ subdomain })).drafts.map(({ thing }) => thing)).toEqual([other])
    await trimDrafts(service.core.database)
    expect([await count(id), await count(other)]).toEqual([1, 1])
    await forgetHistory()
    await trimDrafts(service.core.database)
    expect([await count(id), await count(other)]).toEqual([0, 1])
  })

  test('unless their deleted item is restored in time', async () => {
    const { id } = await createPage()
    const other = await space.join()
    for (const person of [owner, other]) await keep(id, `by ${person.handle}`, person)
    await owner.pages.delete({ subdomain, page_id: id })
    await trimDrafts(service.core.database)
    const [deletion] = (await owner.history.list({ subdomain })).changes
    await owner.history.restore({ subdomain, change_id: deletion!.id, side: 'before' })
    for (const person of [owner, other])
      expect(await htmlOf(id, person)).toMatchObject({ html: `by ${person.handle}` })
    expect((await other.unsaved.list({ subdomain })).drafts.map(({ thing }) => thing)).toEqual([id])
  })

  test('if their item is deleted and a new draft would exceed the limit', async () => {
    const { id } = await createPage()
    await keep(id, 'deleted')
    const others = Array.from({ length: limits.editorDrafts - 1 }, () => newId())
    for (const thing of others) await keep(thing, 'x', owner, true)
    expect(await errorCodeOf(keep(newId(), 'x', owner, true))).toBe('limit_reached')
    await owner.pages.delete({ subdomain, page_id: id })
    await keep(newId(), 'x', owner, true)
    expect([await count(id), await count(others[0]!)]).toEqual([0, 1])
  })

  test('when their author leaves the space, and when the space or the account is deleted', async () => {
    const { id } = await createPage()
    const [leaving, deleted] = [await space.join(), await space.join()]
    for (const person of [owner, leaving, deleted]) await keep(id, 'x', person)
    expect(await count(id)).toBe(3)
    await leaving.participants.leave({ subdomain })
    expect(await count(id)).toBe(2)
    await deleted.accounts.delete({ confirm: deleted.handle })
    expect(await count(id)).toBe(1)
    await owner.spaces.delete({ subdomain, confirm: subdomain })
    expect(await count(id)).toBe(0)
  })
})
