import { beforeEach, describe, expect, it } from 'vitest'
import { testPng } from '../support/png.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite

beforeEach(async () => {
  site = await newSite(service)
})

/** A template that shows everything in its space that can change. */
const EVERYTHING = `{{ space.name }}|{% for page in pages %}{{ page.slug }} {% endfor %}|{% for file in files %}{{ file.name }}:{{ file.size }} {% endfor %}|{{ data.list | join }}|{% include 'part' %}`

const create = async () => {
  await site.part('part', 'one')
  const page = await site.page('all', EVERYTHING, 'scripted')
  const read = async () => (await site.openOrigin(page)).text.split('|').map(text => text.trim())
  return { page, read }
}

describe('the next request after a change', () => {
  it('shows the changed page', async () => {
    const page = await site.page('about', 'one')
    const seen: string[] = []
    for (const html of ['two', 'three', 'four']) {
      await site.space.api.patch(`/pages/${page.id}`, { html })
      seen.push((await site.open('/about')).text.replace(/<[^>]*>/g, '').trim())
    }
    expect(seen).toEqual(['two', 'three', 'four'])
  })

  it('shows the new title of a scripted page in the document around its frame', async () => {
    await site.data('title', 'One')
    await site.page('about', '<title>{{ data.title }}</title>', 'scripted')
    expect((await site.open('/about')).text).toContain('<title>One</title>')
    await site.data('title', 'Two')
    expect((await site.open('/about')).text).toContain('<title>Two</title>')
  })

  it('shows written records, and no deleted ones', async () => {
    const { read } = await create()
    expect((await read())[3]).toBe('')
    await site.data('list', ['a', 'b'])
    expect((await read())[3]).toBe('a b')
    await site.data('list', ['c'])
    expect((await read())[3]).toBe('c')
    await site.space.api.delete('/data/list')
    expect((await read())[3]).toBe('')
  })

  it('shows a changed or re-created part, and an error for a deleted one', async () => {
    const { page, read } = await create()
    const parts = await site.space.api.get<{ data: { id: string }[] }>('/parts')
    const path = `/parts/${parts.body.data[0]?.id}`
    await site.space.api.patch(path, { html: 'two' })
    expect((await read())[4]).toBe('two')
    await site.space.api.delete(path)
    expect((await site.openOrigin(page)).headers['x-template-error']).toBe('missing_part')
    await site.part('part', 'three')
    expect((await read())[4]).toBe('three')
  })

  it('shows created and changed files, and no deleted ones', async () => {
    const { read } = await create()
    const file = await site.file('a.txt', 'abc')
    expect((await read())[2]).toBe('a.txt:3')
    await site.space.api.patch(`/files/${file.id}`, { content: 'longer', encoding: 'text', name: 'b.txt' })
    expect((await read())[2]).toBe('b.txt:6')
    await site.space.api.delete(`/files/${file.id}`)
    expect((await read())[2]).toBe('')
  })

  it('shows created and renamed pages, and no deleted ones', async () => {
    const { read } = await create()
    const other = await site.page('other', 'text')
    expect((await read())[1]).toBe('all other')
    await site.space.api.patch(`/pages/${other.id}`, { slug: 'another' })
    expect((await read())[1]).toBe('all another')
    await site.space.api.delete(`/pages/${other.id}`)
    expect((await read())[1]).toBe('all')
    expect((await site.open('/another')).status).toBe(404)
  })

  it('shows the new name and icon of the space', async () => {
    const { read } = await create()
    const { subdomain, owner } = site.space
    await owner.spaces.rename({ subdomain, name: 'Another name' })
    expect((await read())[0]).toBe('Another name')
    expect((await site.open('/articles')).text).toContain('Another name')
    await owner.spaces.setIcon({ subdomain, png: await testPng({ width: 256, height: 256 }) })
    expect((await site.open('/favicon.ico')).status).toBe(200)
    await owner.spaces.removeIcon({ subdomain })
    expect((await site.open('/favicon.ico')).status).toBe(404)
  })

  it('shows a page as its new kind, on the site and on its own origin', async () => {
    const page = await site.page('about', '<p>text</p>', 'scripted')
    expect((await site.open('/about')).text).toContain('<iframe')
    await site.space.api.patch(`/pages/${page.id}`, { kind: 'static' })
    expect((await site.open('/about')).text).toContain('<p>text</p>')
    expect((await site.openOrigin(page)).status).toBe(302)
    await site.space.api.patch(`/pages/${page.id}`, { kind: 'scripted' })
    expect((await site.openOrigin(page)).text).toBe('<p>text</p>')
  })

  it('gets a 404 for a deleted page, both on the site and on the origin of the page', async () => {
    const page = await site.page('about', 'text', 'scripted')
    await site.space.api.delete(`/pages/${page.id}`)
    expect((await site.open('/about')).status).toBe(404)
    expect((await site.openOrigin(page)).status).toBe(404)
    expect((await site.openOrigin(page, '/other')).status).toBe(404)
  })

  it('gets a 404 for a deleted space', async () => {
    const page = await site.page('about', 'text', 'scripted')
    const file = await site.file('a.txt', 'text')
    const { subdomain, owner } = site.space
    await owner.spaces.delete({ subdomain, confirm: subdomain })
    const responses = [await site.open('/'), await site.openOrigin(page), await site.openFile(file)]
    for (const { status, text } of responses) {
      expect(status).toBe(404)
      expect(text).not.toContain(subdomain)
    }
  })
})

describe('while pages and data are written', () => {
  it('every response shows a page and its data from the same revision', async () => {
    const { subdomain } = site.space
    const { core } = service
    await site.data('number', 0)
    const page = await site.page('number', '0={{ data.number }}', 'scripted')
    const writer = { isOver: false }
    const seen: string[] = []
    const write = async () => {
      for (let number = 1; number <= 60 || seen.length < 10; number++) {
        // Change the page and its data in one transaction, which the API cannot do. A response that shows only one of
        // the two changes mixes two revisions.
        await core.database.orm.em.fork().transactional(async em => {
          const sql = em.getKysely()
          await em.execute('set local session_replication_role = replica')
          const space = await sql
            .updateTable('spaces')
            .where('subdomain', '=', subdomain)
            .set(row => ({ revision: row('revision', '+', '1') }))
            .returning('id')
            .executeTakeFirstOrThrow()
          await sql
            .updateTable('data_records')
            .where('space_id', '=', space.id)
            .set({ value: String(number) })
            .execute()
          await sql
            .updateTable('pages')
            .where('id', '=', page.id)
            .set({ html: `${number}={{ data.number }}` })
            .execute()
        })
      }
      writer.isOver = true
    }
    const read = async () => {
      while (!writer.isOver) seen.push((await site.openOrigin(page)).text)
    }
    await Promise.all([write(), read(), read()])
    expect(seen.filter(text => !/^(\d+)=\1$/.test(text))).toEqual([])
  })
})
