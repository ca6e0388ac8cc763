import { expect, test } from 'vitest'
import { newSite } from '../delivery/support/site.ts'
import { failure } from '../support/problems.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

test('what a template can name is told: the words of the language, and what is in the space', async () => {
  const site = await newSite(world)
  await site.page('home', 'x')
  await site.part('nav', 'x')
  await site.data('events', [{ title: 'Harvest', on: null }])
  const file = await site.file('a.png', 'bytes')
  const known = await site.space.owner.templates.vocabulary({ subdomain: site.space.subdomain })
  expect(known).toMatchObject({
    pages: ['home'],
    parts: ['nav'],
    files: [{ name: 'a.png', url: file.url }],
    data: [
      {
        key: 'events',
        schema: {
          type: 'array',
          items: { type: 'object', properties: { title: { type: 'string' }, on: { type: 'null' } } },
        },
      },
    ],
  })
  expect(known.tags).toEqual(expect.arrayContaining(['for', 'render', 'layout', 'ifchanged', 'doc']))
  expect(known.blocks).toEqual(expect.arrayContaining(['for', 'if', 'case', 'capture', 'raw', 'ifchanged']))
  for (const name of ['render', 'layout', 'assign', '#']) expect(known.blocks).not.toContain(name)
  expect(known.filters).toEqual(expect.arrayContaining(['raw', 'where', 'date', 'base64_url_safe_encode']))
})

test('every tag that is told is one that pages can use', async () => {
  const site = await newSite(world)
  const { tags } = await site.space.owner.templates.vocabulary({ subdomain: site.space.subdomain })
  const preview = async (html: string) => {
    const outcome = await site.space.owner.previews.page({
      subdomain: site.space.subdomain,
      editor: 'one',
      slug: 'a',
      kind: 'scripted',
      html,
    })
    return outcome.outcome === 'error' ? outcome.error.message : ''
  }
  expect(await preview('{% no_such %}')).toContain('Unknown tag')
  for (const name of tags) expect(await preview(`{% ${name} %}`)).not.toContain('Unknown tag')
})

test('what a template can name is no business of somebody who does not take part', async () => {
  const { subdomain } = await world.space()
  const stranger = await world.person()
  expect(await failure(stranger.templates.vocabulary({ subdomain }))).toBe('space_not_found')
})
