import { beforeEach, describe, expect, test } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService()
let owner: Person
let subdomain: string

beforeEach(async () => {
  ;({ owner, subdomain } = await service.createSpace())
})

describe('saving a page', () => {
  const create = () => owner.pages.create({ subdomain, slug: 'home', kind: 'static', html: 'first' })
  type Created = Awaited<ReturnType<typeof create>>
  const save = (
    page: Created,
    change: { slug?: string; kind?: 'scripted' | 'static'; html?: string },
    base = page.updated_at,
  ) =>
    owner.editing.savePage({
      subdomain,
      page_id: page.id,
      slug: page.slug,
      kind: page.kind,
      html: 'first',
      ...change,
      base,
    })
  const stored = (page: Created) => owner.pages.get({ subdomain, page_id: page.id })

  test('writes the changes and returns the version that the next save starts from', async () => {
    const page = await create()
    const first = await save(page, { html: 'second', slug: 'start', kind: 'scripted' })
    expect(first).toMatchObject({ saved: true, page: { slug: 'start', kind: 'scripted' } })
    const base = first.saved ? first.page.updated_at : ''
    expect(await save(page, { html: 'third' }, base)).toMatchObject({ saved: true })
    expect(await stored(page)).toMatchObject({ slug: 'home', html: 'third' })
  })

  test('writes nothing when someone else saved first, and returns their version', async () => {
    const page = await create()
    await owner.pages.update({ subdomain, page_id: page.id, html: 'theirs' })
    const response = await save(page, { html: 'mine' })
    expect(response).toEqual({ saved: false, theirs: await stored(page) })
    expect((await stored(page)).html).toBe('theirs')
  })

  test('overwrites a version that another person saved, if the request has that version’s updated_at', async () => {
    const page = await create()
    const { updated_at } = await owner.pages.update({ subdomain, page_id: page.id, html: 'theirs' })
    expect(await save(page, { html: 'both' }, updated_at)).toMatchObject({ saved: true })
    expect((await stored(page)).html).toBe('both')
  })

  test('is not a conflict when both people saved the same content', async () => {
    const page = await create()
    await owner.pages.update({ subdomain, page_id: page.id, html: 'same' })
    expect(await save(page, { html: ' same ' })).toMatchObject({ saved: true })
  })

  test('writes only one of several concurrent saves', async () => {
    const page = await create()
    const responses = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(html => save(page, { html })))
    expect(responses.filter(({ saved }) => saved)).toHaveLength(1)
  })

  test('validates the fields of a page as the Space API does', async () => {
    const page = await create()
    await owner.pages.create({ subdomain, slug: 'taken', html: 'x' })
    expect(await errorCodeOf(save(page, { slug: 'taken' }))).toBe('slug_taken')
    expect(await errorFields(save(page, { slug: 'articles', html: '' }))).toEqual(['slug', 'html'])
    expect(await errorCodeOf(save({ ...page, id: '2222222222222222' }, {}))).toBe('page_not_found')
  })

  test('is for participants only', async () => {
    const page = await create()
    const outsider = await service.signUp()
    const call = outsider.editing.savePage({
      subdomain,
      page_id: page.id,
      slug: 'home',
      kind: 'static',
      html: 'x',
      base: page.updated_at,
    })
    expect(await errorCodeOf(call)).toBe('space_not_found')
  })
})

describe('saving a part', () => {
  const create = () => owner.parts.create({ subdomain, name: 'nav', html: 'first' })
  const save = (part: { id: string; updated_at: string }, change: { name?: string; html?: string }) =>
    owner.editing.savePart({
      subdomain,
      part_id: part.id,
      name: 'nav',
      html: 'first',
      ...change,
      base: part.updated_at,
    })

  test('writes the changes', async () => {
    const part = await create()
    expect(await save(part, { name: 'menu', html: 'second' })).toMatchObject({
      saved: true,
      part: { id: part.id, name: 'menu' },
    })
  })

  test('writes nothing when someone else saved first, and returns their version', async () => {
    const part = await create()
    await owner.parts.update({ subdomain, part_id: part.id, html: 'theirs' })
    expect(await save(part, { html: 'mine' })).toMatchObject({ saved: false, theirs: { html: 'theirs' } })
    expect((await owner.parts.get({ subdomain, part_id: part.id })).html).toBe('theirs')
  })

  test('validates fields as the Space API does for parts', async () => {
    const part = await create()
    await owner.parts.create({ subdomain, name: 'frame', html: '{% include "nav" %}' })
    expect(await errorFields(save(part, { html: '{% include "frame" %}' }))).toEqual(['html'])
    expect(await errorCodeOf(save(part, { name: 'frame' }))).toBe('part_name_taken')
  })
})
