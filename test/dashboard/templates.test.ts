import { expect, test } from 'vitest'
import { newSite } from '../delivery/support/site.ts'
import { errorCodeOf } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

test('the editor vocabulary has all tags and filters, and the names of everything in the space', async () => {
  const site = await newSite(service)
  await site.page('home', 'x')
  await site.part('nav', 'x')
  await site.data('events', [{ title: 'Harvest', on: null }])
  const file = await site.file('a.png', 'bytes')
  const vocabulary = await site.space.owner.editing.vocabulary({ subdomain: site.space.subdomain })
  expect(vocabulary).toMatchObject({
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
  expect(vocabulary.tags).toEqual(expect.arrayContaining(['for', 'render', 'layout', 'ifchanged', 'doc']))
  expect(vocabulary.blocks).toEqual(
    expect.arrayContaining(['for', 'if', 'case', 'capture', 'raw', 'ifchanged']),
  )
  for (const name of ['render', 'layout', 'assign', '#']) expect(vocabulary.blocks).not.toContain(name)
  expect(vocabulary.filters).toEqual(
    expect.arrayContaining(['raw', 'where', 'date', 'base64_url_safe_encode']),
  )
})

test('pages can use every tag in the editor vocabulary', async () => {
  const site = await newSite(service)
  const { tags } = await site.space.owner.editing.vocabulary({ subdomain: site.space.subdomain })
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

test('only participants can read the editor vocabulary', async () => {
  const { subdomain } = await service.createSpace()
  const outsider = await service.signUp()
  expect(await errorCodeOf(outsider.editing.vocabulary({ subdomain }))).toBe('space_not_found')
})
