import { expect, test } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

/** The titles by slug. */
const titlesOf = async ({ owner, subdomain }: TestSpace) => {
  const [{ pages, is_complete }, { data }] = await Promise.all([
    owner.delivery.pageTitles({ subdomain }),
    owner.pages.list({ subdomain }),
  ])
  expect(is_complete).toBe(true)
  return Object.fromEntries(pages.map(({ id, title }) => [data.find(page => page.id === id)!.slug, title]))
}

test.each(['static', 'scripted'] as const)(
  'the title of a %s page is that of its evaluated head',
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

test('a title follows the part that it comes from', async () => {
  const space = await service.createSpace()
  const { owner, subdomain } = space
  await owner.pages.create({ subdomain, slug: 'about', kind: 'static', html: "{% render 'head' %}<p>x</p>" })
  const part = await owner.parts.create({ subdomain, name: 'head', html: '<title>Before</title>' })
  expect(await titlesOf(space)).toEqual({ about: 'Before' })
  await owner.parts.update({ subdomain, part_id: part.id, html: '<title>After</title>' })
  expect(await titlesOf(space)).toEqual({ about: 'After' })
})
