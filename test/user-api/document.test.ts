import { beforeAll, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { elementsOfDocument } from './support/html.ts'

const service = useTestService()
let person: Person
let api: RestClient

beforeAll(async () => {
  person = await service.signUp()
  api = person.api
})

/** Returns the elements of a post's document. */
const documentOf = async (body: object) => {
  const { id } = (await api.post<{ id: string }>('/posts', body)).body
  const { html } = (await api.get<{ html: string }>(`/posts/${id}`)).body
  const elements = elementsOfDocument(html)
  const find = (name: string) => elements.find(element => element.name === name)
  return { html, elements, find, title: find('title')?.text }
}

const rich = (markdown: string) => documentOf({ format: 'markdown', markdown })
const reblog = (url: string, text?: string) =>
  documentOf({ format: 'reblog', url, ...(text === undefined ? {} : { text }) })

describe('the document of a rich post', () => {
  it('is a complete, responsive document with dark mode that contains the article', async () => {
    const { html, find, elements } = await rich('# Beans\n\nThey *grow*.')
    expect(html).toMatch(/^<!doctype html>\n/)
    expect(html).toContain('<h1>Beans</h1>\n<p>They <em>grow</em>.</p>')
    expect(elements.filter(({ name }) => name === 'meta').map(({ attributes }) => attributes)).toEqual([
      { charset: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { name: 'color-scheme', content: 'light dark' },
    ])
    expect(find('article')).toBeDefined()
    expect(find('style')!.text).toContain('light-dark(')
  })

  it('loads no resources and runs no scripts', async () => {
    const { elements } = await rich('# a')
    for (const name of ['script', 'link', 'iframe', 'form', 'base'])
      expect(elements.map(element => element.name)).not.toContain(name)
  })

  it.each([
    ['# Beans\n\nx', 'Beans'],
    ['some *text* & <b>more</b>\n\n# Beans', 'some text & <b>more</b>'],
    ['- one\n- two', 'one'],
    ['![](https://a.test/b.png)\n\nwords', 'words'],
    [`# ${'a'.repeat(80)}`, 'a'.repeat(80)],
    [`# ${'a'.repeat(81)}`, `${'a'.repeat(79)}…`],
    [`# ${'👨‍👩‍👧'.repeat(81)}`, `${'👨‍👩‍👧'.repeat(79)}…`],
    ['</title><script>x</script>', '</title><script>x</script>'],
    ['| a |\n|-|\n| b |', 'a'],
  ])('has its first words as title: %j', async (markdown, title) => {
    expect((await rich(markdown)).title).toBe(title)
  })

  it('has a title that names the author if the post has no text', async () => {
    expect((await rich('![](https://a.test/b.png)')).title).toBe(`A post by @${person.handle}`)
  })
})

describe('the document of a reblog', () => {
  it('has the text and a card that links to the reblogged address', async () => {
    const { find, title } = await reblog('https://beans.test/a?b=c&d="e', 'Look <b>here</b>\nand there')
    expect(title).toBe('Look <b>here</b> and there')
    expect(find('p')!.text).toBe('Look <b>here</b>\nand there')
    expect(find('b')).toBeUndefined()
    expect(find('a')!.attributes).toMatchObject({
      href: 'https://beans.test/a?b=c&d="e',
      rel: 'noopener nofollow ugc',
    })
    expect(find('strong')!.text).toBe('beans.test')
  })

  it('has the host of the reblogged address as title if the reblog has no text', async () => {
    const { title, find } = await reblog('https://beans.test/a')
    expect(title).toBe('beans.test')
    expect(find('p')).toBeUndefined()
  })

  it.each(['https://a.test/"><script>x</script>', "https://a.test/'onclick='x", 'https://a.test/</style>'])(
    'escapes an address such as %j',
    async url => {
      const { find, elements } = await reblog(url)
      expect(find('script')).toBeUndefined()
      expect(find('a')!.attributes.href).toBe(url)
      for (const { attributes } of elements) expect(attributes).not.toHaveProperty('onclick')
    },
  )
})

it('the document of an HTML post is the HTML as it was sent', async () => {
  const { html } = await documentOf({ html: '<p>no frame around it' })
  expect(html).toBe('<p>no frame around it')
})
