import { assert, asyncProperty, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testPng } from '../support/png.ts'
import { policyOf, requestHost } from '../support/request-host.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService()

const publish = async ({ api }: Person, body: object): Promise<string> =>
  (await api.post<{ id: string }>('/posts', body)).body.id
const atOrigin = (id: string, path = '/') => requestHost(service, `${id}.posts.localhost`, path)
const atMain = (path: string) => requestHost(service, 'localhost', path)

describe('the origin of a post', () => {
  test('serves an HTML post byte for byte, in a sandbox that allows scripts', async () => {
    const html = '\n<script>document.title = "ü"</script>\r\n<p>x</p>  '
    const id = await publish(await service.signUp(), { html })
    const opened = await atOrigin(id)
    expect(opened.status).toBe(200)
    expect(opened.bytes.equals(Buffer.from(html))).toBe(true)
    expect(policyOf(opened).sandbox).toContain('allow-scripts')
    expect(policyOf(opened)['frame-ancestors']).toBe('http://localhost')
    expect(opened.headers['set-cookie']).toBeUndefined()
  })

  test('serves any HTML byte for byte', async () => {
    const person = await service.signUp()
    const html = string({ unit: 'binary', minLength: 1, maxLength: 300 }).filter(
      text => text.isWellFormed() && !text.includes('\0') && text.trim() !== '',
    )
    await assert(
      asyncProperty(html, async html => {
        const { bytes } = await atOrigin(await publish(person, { html }))
        expect(bytes.equals(Buffer.from(html))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['Markdown', { format: 'markdown', markdown: '# Beans\n\n<script>alert(1)</script>' }, '<h1>Beans</h1>'],
    ['a reblog', { format: 'reblog', url: 'https://beans.example/a', text: 'Look' }, 'Look'],
  ])('serves the document built for %s, without scripts', async (_, body, part) => {
    const opened = await atOrigin(await publish(await service.signUp(), body))
    expect(opened.text).toContain(part)
    expect(opened.text).toContain('<title>')
    expect(opened.text).not.toContain('<script')
    expect(policyOf(opened).sandbox).not.toContain('allow-scripts')
    expect(policyOf(opened)['default-src']).toBe("'none'")
  })

  test('returns 404 for a draft, a deleted post, and an unknown or malformed id', async () => {
    const person = await service.signUp()
    const draft = await person.writing.createDraft({ format: 'html', html: 'x' })
    const deleted = await publish(person, { html: 'x' })
    expect((await atOrigin(deleted)).status).toBe(200)
    await person.api.delete(`/posts/${deleted}`)
    const ids = [draft.id, deleted, '2222222222222222', 'nonsense', 'a.b']
    const responses = await Promise.all(ids.map(async id => [id, (await atOrigin(id)).status]))
    expect(responses).toEqual(ids.map(id => [id, 404]))
  })

  test('shows the new body as soon as the body is replaced', async () => {
    const person = await service.signUp()
    const id = await publish(person, { html: 'before' })
    await person.api.patch(`/posts/${id}`, { html: 'after' })
    expect((await atOrigin(id)).text).toBe('after')
  })

  test("redirects any other path to the post's page", async () => {
    const id = await publish(await service.signUp(), { html: 'x' })
    const { status, headers } = await atOrigin(id, '/other')
    expect([status, headers.location]).toEqual([302, `http://localhost/posts/${id}`])
  })
})

describe('the timeline', () => {
  test('shows posts immediately, newest first, and a draft after it is published', async () => {
    const person = await service.signUp()
    const draft = await person.writing.createDraft({ format: 'reblog', url: 'https://drafts.example/' })
    const first = await publish(person, { format: 'markdown', markdown: 'first' })
    const second = await publish(person, { format: 'markdown', markdown: 'second' })
    const before = (await atMain('/')).text
    expect(before.indexOf(second)).toBeGreaterThan(0)
    expect(before.indexOf(first)).toBeGreaterThan(before.indexOf(second))
    expect(before).not.toContain('drafts.example')

    await person.writing.publish({ post_id: draft.id })
    const after = (await atMain('/')).text
    expect(after.indexOf('drafts.example')).toBeLessThan(after.indexOf(second))
  })

  test("shows an HTML post in a frame from the post's own origin, never inline", async () => {
    const id = await publish(await service.signUp(), { html: '<b>own document</b>' })
    const { text } = await atMain('/')
    expect(text).toContain(`<iframe src="http://${id}.posts.localhost/"`)
    expect(text).not.toContain('own document')
  })

  test('contains no scripts and forbids them', async () => {
    const page = await atMain('/')
    expect(policyOf(page)['default-src']).toBe("'none'")
    expect(policyOf(page)['script-src']).toBeUndefined()
    expect(page.text).not.toContain('<script')
  })

  test('of an account has several pages, and every post is on exactly one page', async () => {
    const person = await service.signUp()
    const ids = []
    for (let i = 0; i < 43; i++) ids.push(await publish(person, { format: 'markdown', markdown: `no ${i}` }))
    const seen = []
    for (let path: string | undefined = `/@${person.handle}`; path; ) {
      const { text }: { text: string } = await atMain(path)
      seen.push(...[...text.matchAll(/<a href="\/posts\/(\w{16})"><time/g)].map(match => match[1]))
      path = /<a href="([^"]+)" rel="next"/.exec(text)?.[1]
    }
    expect(seen).toEqual(ids.toReversed())
  })

  test.each(['x', '1', '1-', '-1', '99999999999999999999-1', '1-99999999999999999999'])(
    'returns 404 for the invalid cursor %j',
    async before => {
      expect((await atMain(`/?before=${before}`)).status).toBe(404)
    },
  )

  test('shows a link to a long post instead of its text', async () => {
    const id = await publish(await service.signUp(), { format: 'markdown', markdown: 'long '.repeat(5000) })
    expect((await atMain('/')).text).not.toContain('long long long')
    expect((await atMain(`/posts/${id}`)).text).toContain('long long long')
  })
})

describe('a profile', () => {
  test('shows name, bio and posts, and is found by the handle in any letter case', async () => {
    const person = await service.signUp('ProfileOne')
    await person.api.patch('/me', { display_name: 'Ada <b>', bio: 'Line one\nline two' })
    await publish(person, { format: 'markdown', markdown: 'mine' })
    for (const handle of ['ProfileOne', 'profileone']) {
      const { status, text } = await atMain(`/@${handle}`)
      expect(status).toBe(200)
      expect(text).toContain('Ada &lt;b&gt;')
      expect(text).toContain('Line one\nline two')
      expect(text).toContain('mine')
    }
  })

  test('shows the picture of the account, or the first character of its name', async () => {
    const person = await service.signUp('Zoe.Z')
    expect((await atMain('/@Zoe.Z')).text).toMatch(/<span class="avatar" aria-hidden="true">Z<\/span>/)
    const png = await testPng({ width: 256, height: 256 })
    await person.api.put('/me/icon', { png })
    const [, icon] = /<img class="avatar" src="([^"]+)"/.exec((await atMain('/@Zoe.Z')).text) ?? []
    expect((await atMain(icon!)).headers['content-type']).toBe('image/png')
  })

  test('returns 404 at a former handle', async () => {
    const person = await service.signUp('oldname')
    await person.api.patch('/me', { handle: 'newname' })
    expect((await atMain('/@oldname')).status).toBe(404)
    expect((await atMain('/@newname')).status).toBe(200)
  })

  test.each(['/@nobody.here', '/@x', '/@%00ab', "/@'--", '/@', '/@a/b'])('returns 404 at %s', async path => {
    expect((await atMain(path)).status).toBe(404)
  })
})

describe("a post's page", () => {
  test('shows the comments, oldest first, as plain text', async () => {
    const person = await service.signUp()
    const id = await publish(person, { html: 'x' })
    await person.api.post(`/posts/${id}/comments`, { body: 'first <i>' })
    await person.api.post(`/posts/${id}/comments`, { body: 'second' })
    const { text } = await atMain(`/posts/${id}`)
    expect(text).toContain('first &lt;i&gt;')
    expect(text.indexOf('second')).toBeGreaterThan(text.indexOf('first &lt;i&gt;'))
    expect(text).toContain('2 comments')
  })

  test.each([
    ['HTML', { html: '<title>Beans &amp; peas</title><p>x</p>' }, 'Beans &amp; peas'],
    ['Markdown', { format: 'markdown', markdown: '# Beans\n\nThey grow.' }, 'Beans'],
    [
      'a reblog',
      { format: 'reblog', url: 'https://beans.example/a', text: '</title><b>' },
      '&lt;/title&gt;&lt;b&gt;',
    ],
  ])('has the title of a post in %s', async (_, body, title) => {
    const person = await service.signUp()
    const { text } = await atMain(`/posts/${await publish(person, body)}`)
    expect(text).toContain(`<title>${title} · ${person.handle} · Space Site</title>`)
    expect(text).toContain(`<meta property="og:title" content="${title}">`)
  })

  test('returns 404 for a draft', async () => {
    const { id } = await (await service.signUp()).writing.createDraft({ format: 'html', html: 'x' })
    expect((await atMain(`/posts/${id}`)).status).toBe(404)
  })
})

test('the front page accepts only GET and HEAD', async () => {
  const { status, headers } = await requestHost(service, 'localhost', '/', { method: 'POST' })
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
})
