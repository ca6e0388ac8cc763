import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../db/id.ts'
import { limits } from '../../routers/api/rules.ts'
import { errorCodeOf } from '../support/problems.ts'
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

const fieldsOf = (slug: string) => ({ slug, kind: 'static' as const, html: 'text' })

/** Keeps a draft of a page that exists, or of a new one. */
const keep = (thing: string, slug: string, person = owner, is_new = false) =>
  person.unsaved.keep({ subdomain, kind: 'page', thing, is_new, fields: fieldsOf(slug), base: null })

/** Creates a link to a draft of a new page. */
const linkToNew = async (person = owner) => {
  const thing = newId()
  await keep(thing, 'soon', person, true)
  return person.previewLinks.create({ subdomain, thing })
}

const list = (person = owner) => person.previewLinks.list({ subdomain })

/** Moves the end of all links. */
const endIn = (interval: string) =>
  sql`update preview_links set expires_at = now() + ${interval}::interval`.execute(service.core.database)

describe('the list of preview links', () => {
  test('shows every participant the address, the creator and the end of each link', async () => {
    const other = await space.join()
    const link = await linkToNew()
    expect(link.url).toMatch(/^http:\/\/draft-[2-9a-z]{16}\.pages\.localhost\/[0-9A-Za-z]{32}$/)
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(30 * DAY)
    expect(await list(other)).toEqual([{ ...link, handle: owner.handle, slug: 'soon', shows: 'draft' }])
  })

  test('says whether a link shows a draft, the saved page, or nothing any more', async () => {
    const { id } = await owner.pages.create({ subdomain, ...fieldsOf('saved') })
    await keep(id, 'renamed')
    await owner.previewLinks.create({ subdomain, thing: id })
    const shown = async () => (await list()).map(({ slug, shows }) => [slug, shows])
    expect(await shown()).toEqual([['renamed', 'draft']])
    await owner.unsaved.discard({ subdomain, kind: 'page', thing: id })
    expect(await shown()).toEqual([['saved', 'saved']])
    await keep(id, 'renamed')
    await owner.pages.delete({ subdomain, page_id: id })
    expect(await shown()).toEqual([[null, 'nothing']])
  })

  test('leaves out links that have expired, and those of other spaces', async () => {
    await linkToNew()
    const other = await service.createSpace()
    expect(await other.owner.previewLinks.list({ subdomain: other.subdomain })).toEqual([])
    await endIn('1 minute')
    expect(await list()).toHaveLength(1)
    await endIn('-1 minute')
    expect(await list()).toEqual([])
  })
})

describe('a preview link', () => {
  test('needs a draft of the caller', async () => {
    const { id } = await owner.pages.create({ subdomain, ...fieldsOf('saved') })
    const other = await space.join()
    await keep(id, 'theirs', other)
    expect(await errorCodeOf(owner.previewLinks.create({ subdomain, thing: id }))).toBe('draft_not_found')
    expect(await list()).toEqual([])
  })

  test.each(['participant', 'outsider', 'participant of another space'] as const)(
    'can be revoked only by participants of its space (caller: %s)',
    async who => {
      const other = await service.createSpace()
      const { id } = await linkToNew()
      const revoke = { subdomain, link_id: id }
      const call = {
        participant: async () => (await space.join()).previewLinks.revoke(revoke),
        outsider: async () => (await service.signUp()).previewLinks.revoke(revoke),
        'participant of another space': async () =>
          other.owner.previewLinks.revoke({ ...revoke, subdomain: other.subdomain }),
      }[who]
      const expected = {
        participant: undefined,
        outsider: 'space_not_found',
        'participant of another space': 'preview_link_not_found',
      }[who]
      expect(await errorCodeOf(call())).toBe(expected)
      expect(await list()).toHaveLength(expected === undefined ? 0 : 1)
    },
  )

  test('can be revoked once, and not after it has expired', async () => {
    const { id } = await linkToNew()
    await owner.previewLinks.revoke({ subdomain, link_id: id })
    const again = owner.previewLinks.revoke({ subdomain, link_id: id })
    expect(await errorCodeOf(again)).toBe('preview_link_not_found')
    const { id: late } = await linkToNew()
    await endIn('-1 minute')
    const call = owner.previewLinks.revoke({ subdomain, link_id: late })
    expect(await errorCodeOf(call)).toBe('preview_link_not_found')
  })

  test('ends when its creator leaves the space', async () => {
    const other = await space.join()
    await linkToNew(other)
    await linkToNew()
    await other.participants.leave({ subdomain })
    expect((await list()).map(({ handle }) => handle)).toEqual([owner.handle])
  })

  test('to a new page goes on to the page that the draft is saved as', async () => {
    const other = await space.join()
    const { thing } = await linkToNew()
    await keep(thing, 'theirs', other, true)
    await other.previewLinks.create({ subdomain, thing })
    const { id } = await owner.pages.create({ subdomain, ...fieldsOf('published') })
    await owner.unsaved.discard({ subdomain, kind: 'page', thing, saved_as: id })
    expect((await list()).map(({ handle, slug, shows }) => [handle, slug, shows])).toEqual([
      [other.handle, 'theirs', 'draft'],
      [owner.handle, 'published', 'saved'],
    ])
  })
})

test('a space has at most 50 links that work, also if they are created at once', async () => {
  const { thing } = await linkToNew()
  await endIn('-1 minute')
  const other = await space.join()
  await keep(thing, 'theirs', other, true)
  for (let n = 4; n < limits.previewLinks; n++) await owner.previewLinks.create({ subdomain, thing })
  const codes = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      errorCodeOf((n % 2 === 0 ? owner : other).previewLinks.create({ subdomain, thing })),
    ),
  )
  expect(codes.filter(code => code === undefined)).toHaveLength(4)
  expect(new Set(codes.filter(code => code !== undefined))).toEqual(new Set(['limit_reached']))
  expect(await list()).toHaveLength(50)
})
