import { expect, test, vi } from 'vitest'
import { loops } from '../liquid/costly-pages.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

/** Returns the titles of a space's pages, by slug. */
const titlesOf = async ({ owner, subdomain }: TestSpace) => {
  // On a busy machine, the first lists can be incomplete.
  const { pages } = await vi.waitFor(
    async () => {
      const found = await owner.delivery.pageTitles({ subdomain })
      expect(found.is_complete).toBe(true)
      return found
    },
    { timeout: 30_000 },
  )
  const { data } = await owner.pages.list({ subdomain })
  return Object.fromEntries(pages.map(({ id, title }) => [data.find(page => page.id === id)!.slug, title]))
}

test.each(['static', 'scripted'] as const)(
  'the title of a %s page is the <title> in its evaluated head',
  async kind => {
    const space = await service.createSpace()
    const { owner, subdomain } = space
    const page = (slug: string, html: string) => owner.pages.create({ subdomain, slug, kind, html })
    await owner.parts.create({
      subdomain,
      name: 'layout',
      html: '<!doctype html><title>{{ title }} · {{ space.name }}</title><main>{% block %}{% endblock %}</main>',
    })
    await page('about', "{% assign title = 'About & more' %}{% layout 'layout' %}<p>Us</p>")
    await page('lines', '<title> Two\n lines\u202e </title><p>x</p>')
    await page('fragment', '<h1>No title</h1><svg><title>A drawing</title></svg>')
    await page('empty', '<title> </title>')
    await page('broken', '{% if %}')
    expect(await titlesOf(space)).toEqual({ about: `About & more · The ${subdomain}`, lines: 'Two lines' })
  },
)

test('the title of a page changes when the part that contains its <title> changes', async () => {
  const space = await service.createSpace()
  const { owner, subdomain } = space
  await owner.pages.create({ subdomain, slug: 'about', kind: 'static', html: "{% render 'head' %}<p>x</p>" })
  const part = await owner.parts.create({ subdomain, name: 'head', html: '<title>Before</title>' })
  expect(await titlesOf(space)).toEqual({ about: 'Before' })
  await owner.parts.update({ subdomain, part_id: part.id, html: '<title>After</title>' })
  expect(await titlesOf(space)).toEqual({ about: 'After' })
})

test('known titles are returned while other pages are still being evaluated', async () => {
  const { owner, subdomain } = await service.createSpace()
  const slow = loops(12_000)
  // So many that the first answer comes before the last evaluation, also on a fast machine.
  const slugs = Array.from({ length: 150 }, (_, n) => `page-${String(n).padStart(3, '0')}`)
  for (const [n, slug] of slugs.entries())
    await owner.pages.create({ subdomain, slug, kind: 'static', html: `<title>${slug}</title>${slow(n)}` })
  const first = await owner.delivery.pageTitles({ subdomain })
  expect(first.is_complete).toBe(false)
  expect(first.pages.length).toBeLessThan(slugs.length)
  await expect
    .poll(() => owner.delivery.pageTitles({ subdomain }), { timeout: 60_000 })
    .toMatchObject({ is_complete: true, pages: slugs.map(title => ({ slug: title, title })) })
})

test('titles that were read before a change are not returned after it', async () => {
  const { owner, subdomain } = await service.createSpace()
  const slow = loops(12_000)
  for (let n = 10; n < 60; n++)
    await owner.pages.create({ subdomain, slug: `page-${n}`, kind: 'static', html: slow(n) })
  const page = { subdomain, kind: 'static' } as const
  const { id } = await owner.pages.create({ ...page, slug: 'a', html: '<title>Before</title>' })
  expect((await owner.delivery.pageTitles({ subdomain })).pages).toMatchObject([{ title: 'Before' }])
  await owner.pages.update({ subdomain, page_id: id, html: '<title>After</title>' })
  expect((await owner.delivery.pageTitles({ subdomain })).pages).toMatchObject([{ title: 'After' }])
})
