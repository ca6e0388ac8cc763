import { describe, expect, test } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { shifted } from '../support/shifted-time.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService()

/** Backdates the changes of a space, and the times at which its participants joined, by a number of hours. */
const age = async (subdomain: string, hours: number) => {
  const em = service.core.database.orm.em.fork()
  const older = (table: string, column: string) =>
    em.execute(
      `update ${table} set ${column} = ${shifted(column, `- interval '${hours} hours'`)}
       where space_id = (select id from spaces where subdomain = ?)`,
      [subdomain],
    )
  await older('writes', 'at')
  await older('participants', 'joined_at')
}

describe('finding your spaces', () => {
  const names = async (person: Awaited<ReturnType<typeof service.signUp>>, text: string) =>
    (await person.spaces.find({ text })).spaces.map(({ name }) => name)

  test('without a search term, lists first the spaces that you changed or joined most recently', async () => {
    const person = await service.signUp()
    const create = async (name: string, hours: number) => {
      const subdomain = uniqueName('space')
      await person.spaces.create({ subdomain, name })
      await age(subdomain, hours)
      return subdomain
    }
    const oldest = await create('Oldest', 3)
    await create('Older', 2)
    await create('New', 1)
    expect(await names(person, '')).toEqual(['New', 'Older', 'Oldest'])
    await person.pages.create({ subdomain: oldest, slug: 'home', html: 'x' })
    expect(await names(person, '')).toEqual(['Oldest', 'New', 'Older'])
  })

  test('finds text inside names and subdomains, in any letter case; matches at the start come first', async () => {
    const person = await service.signUp()
    const suffix = uniqueName('x')
    const create = (subdomain: string, name: string) =>
      person.spaces.create({ subdomain: `${subdomain}-${suffix}`.slice(0, 30), name })
    await create('plants', 'The Garden')
    await create('roof', 'Gardens 100%')
    await create('other', 'Kitchen')
    expect(await names(person, 'GARDEN')).toEqual(['Gardens 100%', 'The Garden'])
    expect(await names(person, ' plan ')).toEqual(['The Garden'])
    expect(await names(person, '%')).toEqual(['Gardens 100%'])
    expect(await names(person, '_')).toEqual([])
  })

  test('returns at most twenty, and says whether there are more', async () => {
    const person = await service.signUp()
    const found = async () => {
      const { spaces, has_more } = await person.spaces.find({ text: 'many' })
      return [spaces.length, has_more]
    }
    const create = (n: number) => person.spaces.create({ subdomain: uniqueName('many'), name: `Many ${n}` })
    for (let n = 0; n < 20; n++) await create(n)
    expect(await found()).toEqual([20, false])
    await create(20)
    expect(await found()).toEqual([20, true])
    expect(await person.spaces.find({ text: 'many 20' })).toMatchObject({ has_more: false })
  })

  test('never finds spaces of others', async () => {
    const { subdomain } = await service.createSpace()
    const other = await service.signUp()
    expect(await names(other, subdomain)).toEqual([])
  })
})

describe('finding items of a space', () => {
  test('finds pages, parts, records and files by name; within each kind, names that start with the text come first', async () => {
    const { owner, subdomain } = await service.createSpace()
    const foreign = await service.createSpace()
    await foreign.owner.pages.create({ subdomain: foreign.subdomain, slug: 'menu', html: 'x' })
    const old = await owner.pages.create({ subdomain, slug: 'a-menu', html: 'x' })
    const page = await owner.pages.create({ subdomain, slug: 'menu', html: 'x' })
    const part = await owner.parts.create({ subdomain, name: 'menu-bar', html: 'x' })
    await owner.data.put({ subdomain, key: 'menu', value: 1 })
    const file = await owner.files.create({ subdomain, name: 'Menu.pdf', encoding: 'text', content: '1' })
    await owner.pages.create({ subdomain, slug: 'about', html: 'menu' })
    expect(await owner.spaces.findItems({ subdomain, text: 'MENU' })).toEqual([
      { kind: 'page', id: page.id, name: 'menu' },
      { kind: 'page', id: old.id, name: 'a-menu' },
      { kind: 'part', id: part.id, name: 'menu-bar' },
      { kind: 'record', id: 'menu', name: 'menu' },
      { kind: 'file', id: file.id, name: 'Menu.pdf' },
    ])
  })

  test('returns at most six of each kind', async () => {
    const { owner, subdomain } = await service.createSpace()
    for (let i = 0; i < 8; i++) await owner.data.put({ subdomain, key: `key-${i}`, value: i })
    await owner.pages.create({ subdomain, slug: 'key', html: 'x' })
    const found = await owner.spaces.findItems({ subdomain, text: 'key' })
    expect(found.map(({ kind }) => kind)).toEqual(['page', ...Array.from({ length: 6 }, () => 'record')])
  })

  test.each(['', '   ', 'x'.repeat(101), 'a\0b'])('rejects the text %j', async text => {
    const { owner, subdomain } = await service.createSpace()
    expect(await errorFields(owner.spaces.findItems({ subdomain, text }))).toEqual(['text'])
  })
})

describe('finding texts of a space', () => {
  test('finds lines of pages, parts and records in any letter case, with their place; not names and files', async () => {
    const { owner, subdomain } = await service.createSpace()
    const foreign = await service.createSpace()
    await foreign.owner.pages.create({ subdomain: foreign.subdomain, slug: 'menu', html: 'quince' })
    const html = '<h1>Fruit</h1>\n<p>😀 A QUINCE a day</p>\n<p>quince</p>'
    const page = await owner.pages.create({ subdomain, slug: 'fruit', html })
    const part = await owner.parts.create({ subdomain, name: 'quince', html: 'Ripe quinces' })
    await owner.data.put({ subdomain, key: 'quince', value: { list: ['pear', 'Quince'] } })
    await owner.data.put({ subdomain, key: 'other', value: 1, description: 'All about quinces' })
    await owner.files.create({ subdomain, name: 'quince.txt', encoding: 'text', content: 'quince' })
    const about = { line: 1, offset: 0 }
    expect(await owner.spaces.findTexts({ subdomain, text: ' Quince ' })).toEqual({
      lines: [
        {
          kind: 'page',
          id: page.id,
          name: 'fruit',
          in: 'html',
          line: 2,
          excerpt: '<p>😀 A QUINCE a day</p>',
          offset: html.indexOf('QUINCE'),
        },
        {
          kind: 'part',
          id: part.id,
          name: 'quince',
          in: 'html',
          line: 1,
          excerpt: 'Ripe quinces',
          offset: 5,
        },
        {
          ...about,
          kind: 'record',
          id: 'other',
          name: 'other',
          in: 'description',
          excerpt: 'All about quinces',
          offset: 10,
        },
        {
          ...about,
          kind: 'record',
          id: 'quince',
          name: 'quince',
          in: 'value',
          excerpt: '{"list":["pear","Quince"]}',
          offset: '{"list":["pear","'.length,
        },
      ],
      has_more: false,
    })
    const pages = await owner.spaces.findTexts({ subdomain, text: 'quince', kind: 'page' })
    expect(pages.lines.map(({ id, line }) => [id, line])).toEqual([
      [page.id, 2],
      [page.id, 3],
    ])
  })

  test.each(['a_b', '50%', 'x.*y', '[a-z]+', '\\\\d', "it's"])(
    'finds %j as it is, not as a pattern',
    async text => {
      const { owner, subdomain } = await service.createSpace()
      const { id } = await owner.pages.create({ subdomain, slug: 'exact', html: `<p>${text}` })
      await owner.pages.create({ subdomain, slug: 'other', html: 'axb 500 xzzy abc d 7 its' })
      const { lines } = await owner.spaces.findTexts({ subdomain, text })
      expect(lines.map(line => line.id)).toEqual([id])
    },
  )

  test('finds them for every participant, and for nobody else', async () => {
    const { owner, subdomain, join } = await service.createSpace()
    await owner.pages.create({ subdomain, slug: 'fruit', html: 'quince' })
    const [editor, stranger] = await Promise.all([join(undefined, 'editor'), service.signUp()])
    const { lines } = await editor.spaces.findTexts({ subdomain, text: 'quince' })
    expect(lines.map(({ name }) => name)).toEqual(['fruit'])
    expect(await errorCodeOf(stranger.spaces.findTexts({ subdomain, text: 'quince' }))).toBe(
      'space_not_found',
    )
  })

  test('returns at most six items of each kind, so that no kind crowds out the others', async () => {
    const { owner, subdomain } = await service.createSpace()
    for (let i = 0; i < 8; i++) await owner.pages.create({ subdomain, slug: `page-${i}`, html: 'medlar' })
    await owner.data.put({ subdomain, key: 'fruit', value: 'medlar' })
    const { lines } = await owner.spaces.findTexts({ subdomain, text: 'medlar' })
    expect(lines.map(({ kind }) => kind)).toEqual([...Array.from({ length: 6 }, () => 'page'), 'record'])
  })

  test('of one kind, returns at most three lines of each item and fifty in total, and says that there are more', async () => {
    const { owner, subdomain } = await service.createSpace()
    const find = async () => {
      const { lines, has_more } = await owner.spaces.findTexts({ subdomain, text: 'medlar', kind: 'page' })
      return [lines.length, has_more]
    }
    for (let i = 0; i < 16; i++)
      await owner.pages.create({ subdomain, slug: `page-${i}`, html: 'medlar\n'.repeat(9) })
    expect(await find()).toEqual([48, false])
    await owner.pages.create({ subdomain, slug: 'page-16', html: 'medlar\n'.repeat(9) })
    expect(await find()).toEqual([50, true])
  })

  test.each(['', 'x', 'x'.repeat(201), 'a\0b'])('rejects the text %j', async text => {
    const { owner, subdomain } = await service.createSpace()
    expect(await errorFields(owner.spaces.findTexts({ subdomain, text }))).toEqual(['text'])
  })
})

describe('finding your posts', () => {
  test('finds drafts and published posts by text in the title, newest first', async () => {
    const [person, other] = await Promise.all([service.signUp(), service.signUp()])
    await other.posts.create({ html: '<title>Beans</title>' })
    const first = await person.posts.create({ html: '<title>Beans &amp; peas</title><p>x' })
    const second = await person.writing.createDraft({ format: 'markdown', markdown: '# Green   beans' })
    await person.posts.create({ html: '<title>Leeks</title><p>Beans' })
    const find = async (text: string) => (await person.writing.find({ text })).map(({ id }) => id)
    expect(await person.writing.find({ text: 'BEANS' })).toEqual([
      { id: second.id, title: 'Green beans', is_draft: true },
      { id: first.id, title: 'Beans & peas', is_draft: false },
    ])
    expect(await find('beans &  peas')).toEqual([first.id])
    expect(await find('&')).toEqual([first.id])
    expect(await find('title')).toEqual([])
  })

  test('finds shared links by their comment', async () => {
    const person = await service.signUp()
    const { id } = await person.posts.create({
      format: 'reblog',
      url: 'https://a.example/',
      text: 'Look here',
    })
    expect((await person.writing.find({ text: 'look' })).map(post => post.id)).toEqual([id])
  })

  test('finds posts by their text, as Markdown or as HTML, but not by their tags', async () => {
    const [person, other] = await Promise.all([service.signUp(), service.signUp()])
    await other.posts.create({ html: '<title>Theirs</title><p>Chives &amp; parsley' })
    const page = await person.posts.create({
      html: `<title>Herbs</title><p class="sorrel">${'x '.repeat(400)}Chives &amp; PARSLEY <b>today</b></p>`,
    })
    const draft = await person.writing.createDraft({
      format: 'markdown',
      markdown: '# Sowing\n\nIn *April*: chives & parsley',
    })
    const found = await person.writing.findTexts({ text: 'chives & parsley' })
    expect(found).toEqual([
      { id: draft.id, title: 'Sowing', is_draft: true, excerpt: 'In *April*: chives & parsley' },
      {
        id: page.id,
        title: 'Herbs',
        is_draft: false,
        excerpt: expect.stringContaining('Chives & PARSLEY today'),
      },
    ])
    expect(await person.writing.findTexts({ text: 'sorrel' })).toEqual([])
  })
})
