import { describe, expect, test } from 'vitest'
import { dashboardClient } from '../dashboard/support/dashboard-client.ts'
import { policyOf, requestHost } from '../support/request-host.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { FROM_SITE, mainSiteOf } from './support/main-site.ts'

const service = useTestService()

type Headers = Record<string, string>

const browserOf = (person: Person | null) => mainSiteOf(service, person)

const newPost = async (author: Person) => {
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  return { post_id: id, path: `/posts/${id}` }
}

const people = async () => {
  const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
  return { author, reader, ...(await newPost(author)), browser: await browserOf(reader) }
}

describe('a signed-in reader', () => {
  test('likes a post and takes the like back', async () => {
    const { author, post_id, path, browser } = await people()
    expect((await browser.get(path)).text).toContain('aria-pressed="false"')
    const liked = await browser.send(`${path}/like`, { like: 'yes' })
    expect([liked.status, liked.headers.location]).toEqual([303, `${path}#reactions`])
    expect((await browser.get(path)).text).toContain('aria-pressed="true"')
    expect((await author.posts.get({ post_id })).like_count).toBe(1)
    await browser.send(`${path}/like`, { like: 'no' })
    expect((await author.posts.get({ post_id })).like_count).toBe(0)
  })

  test('comments, and is redirected to the comment', async () => {
    const { author, reader, post_id, path, browser } = await people()
    const { status, headers } = await browser.send(`${path}/comments`, { body: ' Nice\r\n<b>beans</b> ' })
    const [comment] = (await author.comments.list({ post_id })).data
    expect(comment).toMatchObject({ author_handle: reader.handle, body: 'Nice\n<b>beans</b>' })
    expect([status, headers.location]).toEqual([303, `${path}#comment-${comment!.id}`])
    const { text } = await browser.get(path)
    expect(text).toContain(`id="comment-${comment!.id}"`)
    expect(text).toContain('Nice<br>\n&lt;b&gt;beans&lt;/b&gt;')
  })

  test.each([
    ['', '1 to 500 characters'],
    ['x'.repeat(501), 'but has 501'],
  ])(
    'finds their text in the form again if the comment is refused because it breaks a rule',
    async (body, message) => {
      const { path, browser } = await people()
      const { status, text } = await browser.send(`${path}/comments`, { body })
      expect(status).toBe(422)
      expect(text).toContain(message)
      expect(text).toContain(`>\n${body}</textarea>`)
    },
  )

  test('can delete their own comment, but no other', async () => {
    const { author, reader, post_id, path, browser } = await people()
    const own = await reader.comments.create({ post_id, body: 'mine' })
    const other = await author.comments.create({ post_id, body: 'theirs' })
    const page = (await browser.get(path)).text
    expect(page).toContain(`${path}/comments/${own.id}/delete`)
    expect(page).not.toContain(`${path}/comments/${other.id}/delete`)
    expect((await browser.send(`${path}/comments/${own.id}/delete`, {})).status).toBe(303)
    const refused = await browser.send(`${path}/comments/${other.id}/delete`, {})
    expect([refused.status, refused.text.includes('No such comment')]).toEqual([404, true])
    expect((await author.comments.list({ post_id })).data.map(({ id }) => id)).toEqual([other.id])
  })

  test('can delete any comment on their own post', async () => {
    const { author, reader, post_id, path } = await people()
    const { id } = await reader.comments.create({ post_id, body: 'rude' })
    const browser = await browserOf(author)
    expect((await browser.get(path)).text).toContain(`${path}/comments/${id}/delete`)
    await browser.send(`${path}/comments/${id}/delete`, {})
    expect((await author.comments.list({ post_id })).data).toEqual([])
  })

  test('closes their own post for comments and opens it again', async () => {
    const { author, reader, post_id, path } = await people()
    await reader.comments.create({ post_id, body: 'early' })
    const browser = await browserOf(author)
    expect((await browser.get(path)).text).toContain('Close for comments')
    const closed = await browser.send(`${path}/closing`, { closed: 'yes' })
    expect([closed.status, closed.headers.location]).toEqual([303, `${path}#comments`])
    const page = (await browser.get(path)).text
    expect(page).toContain('You have closed this post for comments.')
    expect(page).toContain('early')
    expect(page).not.toContain('<textarea')
    await browser.send(`${path}/closing`, { closed: 'no' })
    expect((await browser.get(path)).text).toContain('<textarea')
  })

  test('is told that a post is closed, and keeps the text of a comment that is refused', async () => {
    const { author, post_id, path, browser } = await people()
    await author.discussions.setClosed({ post_id, is_closed: true })
    const page = (await browser.get(path)).text
    expect(page).toContain('The author has closed this post for comments.')
    expect(page).not.toContain('<textarea')
    expect(page).not.toContain('Open for comments')
    const refused = await browser.send(`${path}/comments`, { body: 'too <b>late</b>' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(
      'Your comment cannot be added, because the author has closed this post for comments.',
    )
    expect(refused.text).toContain('too &lt;b&gt;late&lt;/b&gt;')
    expect((await author.comments.list({ post_id })).data).toEqual([])
  })

  test('cannot close the post of another person', async () => {
    const { author, post_id, path, browser } = await people()
    expect((await browser.send(`${path}/closing`, { closed: 'yes' })).status).toBe(404)
    expect((await author.discussions.get({ post_id })).is_closed).toBe(false)
  })

  test('is redirected to their new comment, even if it is not among the first hundred', async () => {
    const { author, post_id, path, browser } = await people()
    for (let i = 0; i < 100; i++) await author.comments.create({ post_id, body: `number ${i}.` })
    const { headers } = await browser.send(`${path}/comments`, { body: 'the latest' })
    const target = String(headers.location)
    const { text } = await browser.get(target.split('#')[0]!)
    expect(text).toContain(`id="${target.split('#')[1]}"`)
    expect(text).toContain('the latest')
    expect(text).not.toContain('number 1.')
    expect(text).toContain(`<a href="${path}#comments">Show comments from the start</a>`)
    const first = (await browser.get(path)).text
    expect(first).not.toContain('the latest')
    const [, next] = /<a href="([^"#]+)#comments" rel="next"/.exec(first) ?? []
    expect((await browser.get(next!)).text).toContain('the latest')
  })

  test('can report a post and a comment, each only once', async () => {
    const { author, post_id, path, browser } = await people()
    const { id } = await author.comments.create({ post_id, body: 'rude words' })
    expect((await browser.get(`${path}/report?comment=${id}`)).text).toContain('rude words')
    // The address of a report names the post of the comment.
    const other = await people()
    expect((await browser.get(`${other.path}/report?comment=${id}`)).status).toBe(404)
    for (const query of ['', `?comment=${id}`]) {
      const sent = await browser.send(`${path}/report${query}`, { reason: 'Spam' })
      expect(sent.status).toBe(303)
      expect((await browser.get(String(sent.headers.location))).text).toContain('Report sent')
      const again = await browser.send(`${path}/report${query}`, { reason: 'Spam!' })
      expect(again.status).toBe(409)
      expect(again.text).toContain('Your report is still on file.')
      expect(again.text).toContain('>\nSpam!</textarea>')
    }
  })
})

describe('a visitor without a session', () => {
  test('gets a page without forms, with a link to sign in', async () => {
    const { path } = await people()
    const { text, headers } = await (await browserOf(null)).get(path)
    expect(text).toContain(`/admin/sign-in?post=${path.split('/').at(-1)}"`)
    expect(text).not.toContain('<form')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers.vary).toContain('Cookie')
  })

  test.each(['like', 'report', 'comments/aaaaaaaaaaaaaaaa/delete'])(
    'is asked to sign in when sending the form %s',
    async form => {
      const { path } = await people()
      const { status, headers } = await (await browserOf(null)).send(`${path}/${form}`, {})
      expect(status).toBe(303)
      expect(headers.location).toBe(`/admin/sign-in?post=${path.split('/').at(-1)}`)
    },
  )

  test('who sends a comment gets the text back in the form, and no comment is added', async () => {
    const { author, path, post_id } = await people()
    const { status, text } = await (await browserOf(null)).send(`${path}/comments`, { body: 'my long text' })
    expect(status).toBe(401)
    expect(text).toContain('>\nmy long text</textarea>')
    expect((await author.comments.list({ post_id })).data).toEqual([])
  })
})

describe('a form', () => {
  const FOREIGN: [string, Headers][] = [
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { origin: 'http://x.posts.localhost', 'sec-fetch-site': 'same-site' }],
    ['a page without a referrer', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a client that does not say where it comes from', {}],
  ]

  test.each(FOREIGN)('from %s changes nothing', async (_, headers) => {
    const { author, post_id, path, browser } = await people()
    for (const [form, fields] of [
      ['like', { like: 'yes' }],
      ['comments', { body: 'x' }],
      ['report', { reason: 'x' }],
    ] as const) {
      const { status } = await browser.send(`${path}/${form}`, fields, headers)
      expect([form, status]).toEqual([form, 403])
    }
    expect(await author.posts.get({ post_id })).toMatchObject({ like_count: 0, comment_count: 0 })
  })

  test('can be sent only to the service, and shared caches must not store its page', async () => {
    const { path, browser } = await people()
    const page = await browser.get(path)
    expect(policyOf(page)['form-action']).toBe("'self'")
    expect(page.headers['cache-control']).toBe('private, no-cache')
    // The only scripts are those for signed-in readers (comment-preview.test.ts).
    expect(page.text.match(/<script/g)).toHaveLength(2)
  })

  test.each([
    ['is too large', { 'content-type': 'application/x-www-form-urlencoded' }, 'x'.repeat(40_000), 413],
    [
      'has an unknown encoding',
      { 'content-type': 'application/x-www-form-urlencoded; charset=nope' },
      'body=x',
      415,
    ],
    ['is sent as JSON', { 'content-type': 'application/json' }, '{"body":"x"}', 422],
  ])('is refused if it %s', async (_, type, body, expected) => {
    const { path } = await people()
    const reader = await service.signUp()
    const client = dashboardClient(service)
    await client.api.sessions.create.mutate({ handle: reader.handle, password: 'correct horse battery' })
    const { status } = await requestHost(service, 'localhost', `${path}/comments`, {
      method: 'POST',
      headers: { ...FROM_SITE, cookie: client.cookie()!, ...type },
      body,
    })
    expect(status).toBe(expected)
  })

  test.each(['/posts/aaaaaaaaaaaaaaaa', '/posts/x', '/posts/%00'])(
    'about the unknown post %s is refused',
    async path => {
      const browser = await browserOf(await service.signUp())
      for (const form of ['like', 'comments', 'report', 'comments/x/delete'])
        expect((await browser.send(`${path}/${form}`, { body: 'x', reason: 'x' })).status).toBe(404)
      expect((await browser.get(`${path}/report`)).status).toBe(404)
    },
  )
})
