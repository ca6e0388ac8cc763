import { describe, expect, test } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const content = { content: 'x', encoding: 'text' } as const

describe('the list of items that mention a file', () => {
  test('has the pages, parts and records that contain its URL', async () => {
    const { owner, subdomain } = await service.createSpace()
    const file = await owner.files.create({ subdomain, name: 'a.css', ...content })
    const tag = `<link rel="stylesheet" href="${file.url}">`
    const page = await owner.pages.create({ subdomain, slug: 'with', html: tag })
    await owner.pages.create({ subdomain, slug: 'without', html: 'a.css' })
    const part = await owner.parts.create({ subdomain, name: 'head', html: tag.replace('http:', '') })
    await owner.parts.create({ subdomain, name: 'foot', html: 'nothing' })
    await owner.data.put({ subdomain, key: 'links', value: { deep: [file.url] } })
    await owner.data.put({ subdomain, key: 'other', value: 'a.css' })
    expect(await owner.files.mentions({ subdomain, file_id: file.id })).toEqual({
      pages: [{ id: page.id, slug: 'with' }],
      parts: [{ id: part.id, name: 'head' }],
      records: [{ key: 'links' }],
    })
  })

  test('leaves out items of other spaces', async () => {
    const here = await service.createSpace()
    const there = await service.createSpace()
    const file = await here.owner.files.create({ subdomain: here.subdomain, name: 'a.css', ...content })
    await there.owner.pages.create({ subdomain: there.subdomain, slug: 'page', html: file.url })
    expect(await here.owner.files.mentions({ subdomain: here.subdomain, file_id: file.id })).toEqual({
      pages: [],
      parts: [],
      records: [],
    })
    const foreign = there.owner.files.mentions({ subdomain: there.subdomain, file_id: file.id })
    expect(await errorCodeOf(foreign)).toBe('file_not_found')
  })
})
