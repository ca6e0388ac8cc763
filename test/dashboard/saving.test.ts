import { beforeEach, describe, expect, test } from 'vitest'
import { failure, refusedFields } from '../support/problems.ts'
import { type Person, useWorld } from '../support/world.ts'

const world = useWorld()
let owner: Person
let subdomain: string

beforeEach(async () => {
  ;({ owner, subdomain } = await world.space())
})

describe('saving a page', () => {
  const begin = () => owner.pages.create({ subdomain, slug: 'home', kind: 'static', html: 'first' })
  type Begun = Awaited<ReturnType<typeof begin>>
  const save = (
    page: Begun,
    change: { slug?: string; kind?: 'scripted' | 'static'; html?: string },
    base = page.updated_at,
  ) =>
    owner.templates.savePage({
      subdomain,
      page_id: page.id,
      slug: page.slug,
      kind: page.kind,
      html: 'first',
      ...change,
      base,
    })
  const stored = (page: Begun) => owner.pages.get({ subdomain, page_id: page.id })

  test('writes what has changed, and tells from when on to go on', async () => {
    const page = await begin()
    const first = await save(page, { html: 'second', slug: 'start', kind: 'scripted' })
    expect(first).toMatchObject({ saved: true, page: { slug: 'start', kind: 'scripted' } })
    const base = first.saved ? first.page.updated_at : ''
    expect(await save(page, { html: 'third' }, base)).toMatchObject({ saved: true })
    expect(await stored(page)).toMatchObject({ slug: 'home', html: 'third' })
  })

  test('writes nothing over what somebody else wrote in the meantime, and tells that', async () => {
    const page = await begin()
    await owner.pages.update({ subdomain, page_id: page.id, html: 'theirs' })
    const answer = await save(page, { html: 'mine' })
    expect(answer).toEqual({ saved: false, theirs: await stored(page) })
    expect((await stored(page)).html).toBe('theirs')
  })

  test('can be done on top of what somebody else wrote, once it is known', async () => {
    const page = await begin()
    const { updated_at } = await owner.pages.update({ subdomain, page_id: page.id, html: 'theirs' })
    expect(await save(page, { html: 'both' }, updated_at)).toMatchObject({ saved: true })
    expect((await stored(page)).html).toBe('both')
  })

  test('is no conflict where both wrote the same', async () => {
    const page = await begin()
    await owner.pages.update({ subdomain, page_id: page.id, html: 'same' })
    expect(await save(page, { html: ' same ' })).toMatchObject({ saved: true })
  })

  test('is decided one after the other: of many at once, one is written', async () => {
    const page = await begin()
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(html => save(page, { html })))
    expect(answers.filter(({ saved }) => saved)).toHaveLength(1)
  })

  test('keeps the rules of pages', async () => {
    const page = await begin()
    await owner.pages.create({ subdomain, slug: 'taken', html: 'x' })
    expect(await failure(save(page, { slug: 'taken' }))).toBe('slug_taken')
    expect(await refusedFields(save(page, { slug: 'articles', html: '' }))).toEqual(['slug', 'html'])
    expect(await failure(save({ ...page, id: '2222222222222222' }, {}))).toBe('page_not_found')
  })

  test('is no business of somebody who does not take part', async () => {
    const page = await begin()
    const stranger = await world.person()
    const call = stranger.templates.savePage({
      subdomain,
      page_id: page.id,
      slug: 'home',
      kind: 'static',
      html: 'x',
      base: page.updated_at,
    })
    expect(await failure(call)).toBe('space_not_found')
  })
})

describe('saving a part', () => {
  const begin = () => owner.parts.create({ subdomain, name: 'nav', html: 'first' })
  const save = (part: { id: string; updated_at: string }, change: { name?: string; html?: string }) =>
    owner.templates.savePart({
      subdomain,
      part_id: part.id,
      name: 'nav',
      html: 'first',
      ...change,
      base: part.updated_at,
    })

  test('writes what has changed', async () => {
    const part = await begin()
    expect(await save(part, { name: 'menu', html: 'second' })).toMatchObject({
      saved: true,
      part: { id: part.id, name: 'menu' },
    })
  })

  test('writes nothing over what somebody else wrote in the meantime, and tells that', async () => {
    const part = await begin()
    await owner.parts.update({ subdomain, part_id: part.id, html: 'theirs' })
    expect(await save(part, { html: 'mine' })).toMatchObject({ saved: false, theirs: { html: 'theirs' } })
    expect((await owner.parts.get({ subdomain, part_id: part.id })).html).toBe('theirs')
  })

  test('keeps the rules of parts', async () => {
    const part = await begin()
    await owner.parts.create({ subdomain, name: 'frame', html: '{% include "nav" %}' })
    expect(await refusedFields(save(part, { html: '{% include "frame" %}' }))).toEqual(['html'])
    expect(await failure(save(part, { name: 'frame' }))).toBe('part_name_taken')
  })
})
