import { describe, expect, test } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { requestHost } from '../support/request-host.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { mainSiteOf } from './support/main-site.ts'

const service = useTestService()

/** Creates a post and a reader. Returns functions that send the comment form as the reader and open the post's page. */
const commenting = async () => {
  const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const browser = await mainSiteOf(service, reader)
  const send = (fields: Record<string, string>) => browser.send(`/posts/${id}/comments`, fields)
  const page = async () => (await requestHost(service, 'localhost', `/posts/${id}`)).text
  return { author, reader, id, send, page }
}

const htmlOf = async (person: Person, body: string) =>
  (await person.discussions.previewComment({ body })).html.trim()

describe('a comment from the form', () => {
  test('is shown with its formatting, and the User API returns the Markdown as plain text', async () => {
    const { author, reader, id, send, page } = await commenting()
    expect((await send({ body: 'They *grow*' })).status).toBe(303)
    expect(await page()).toContain('<div class="rich" dir="auto"><p>They <em>grow</em></p>')
    const { body } = await author.api.get(`/posts/${id}/comments`)
    const [comment] = body.data as Record<string, string>[]
    expect(comment).toMatchObject({ body: 'They *grow*', author_handle: reader.handle, post_id: id })
    expect(Object.keys(comment!).toSorted()).toEqual([
      'author_handle',
      'body',
      'created_at',
      'id',
      'post_id',
      'updated_at',
    ])
  })

  test('is shown as plain text after the User API has replaced the text', async () => {
    const { reader, id, send, page } = await commenting()
    await send({ body: 'They *grow*' })
    const { data } = await reader.comments.list({ post_id: id })
    await reader.api.patch(`/comments/${data[0]!.id}`, { body: 'They *grew*' })
    const text = await page()
    expect(text).toContain('<p dir="auto">They *grew*</p>')
    expect(text).not.toContain('<em>')
  })

  test('can be deleted, alone and with its post', async () => {
    const { author, reader, id, send } = await commenting()
    await send({ body: '*One*' })
    await send({ body: '*Two*' })
    const { data } = await reader.comments.list({ post_id: id })
    await reader.comments.delete({ comment_id: data[0]!.id })
    expect((await reader.comments.list({ post_id: id })).data.map(({ body }) => body)).toEqual(['*Two*'])
    expect((await author.api.delete(`/posts/${id}`)).status).toBe(204)
  })
})

test('a comment from the User API is shown as plain text', async () => {
  const { reader, id, page } = await commenting()
  await reader.api.post(`/posts/${id}/comments`, { body: 'They *grow*' })
  expect(await page()).toContain('<p dir="auto">They *grow*</p>')
})

describe('the preview', () => {
  test('shows the rendered comment above the form, keeps the text in the form, and stores nothing', async () => {
    const { reader, id, send } = await commenting()
    const { status, text, headers } = await send({ body: 'They *grow* & <b>', preview: 'yes' })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(text).toContain('<p>They <em>grow</em> &amp; &lt;b&gt;</p>')
    expect(text).toContain('>\nThey *grow* &amp; &lt;b&gt;</textarea>')
    expect((await reader.comments.list({ post_id: id })).data).toEqual([])
  })

  test('of a comment that is too long says so, and keeps its text', async () => {
    const { send } = await commenting()
    const body = 'x'.repeat(501)
    const { status, text } = await send({ body, preview: 'yes' })
    expect(status).toBe(422)
    expect(text).toContain(`>\n${body}</textarea>`)
    expect(text).not.toContain('preview-title')
  })
})

test('a preview of a comment says that the post was closed in the meantime, and keeps the text', async () => {
  const { author, id, send } = await commenting()
  await author.discussions.setClosed({ post_id: id, is_closed: true })
  const { text } = await send({ body: 'My long thoughts', preview: 'yes' })
  expect(text).toContain('The author has closed this post for comments.')
  expect(text).toContain('My long thoughts')
  expect(text).not.toContain('role="alert"')
})

describe('the Markdown of a comment', () => {
  test('has emphasis, links, lists, quotes, code and line breaks', async () => {
    const person = await service.signUp()
    const link = '<a href="https://example.com/" rel="noopener nofollow ugc">'
    expect(await htmlOf(person, '**a**\n_b_ ~~c~~')).toBe(
      '<p><strong>a</strong><br>\n<em>b</em> <s>c</s></p>',
    )
    expect(await htmlOf(person, '[a](https://example.com/)')).toBe(`<p>${link}a</a></p>`)
    expect(await htmlOf(person, 'https://example.com/')).toBe(`<p>${link}https://example.com/</a></p>`)
    expect(await htmlOf(person, '- a\n- b')).toBe('<ul>\n<li>a</li>\n<li>b</li>\n</ul>')
    expect(await htmlOf(person, '> a')).toBe('<blockquote>\n<p>a</p>\n</blockquote>')
    expect(await htmlOf(person, '`<a>`')).toBe('<p><code>&lt;a&gt;</code></p>')
  })

  test.each([
    ['# Heading', 'h1'],
    ['Heading\n---', 'h2'],
    ['***', 'hr'],
    ['|a|\n|-|\n|b|', 'table'],
    ['![a](https://example.com/a.png)', 'img'],
    ['<script>alert(1)</script><img src=x>', 'script|<img'],
    ['[a](javascript:alert(1))', 'a href'],
    ['[a](/admin)', 'a href'],
    ['[a](data:text/html,x)', 'a href'],
  ])('%j does not become an element', async (body, element) => {
    expect(await htmlOf(await service.signUp(), body)).not.toMatch(new RegExp(`<(${element})`))
  })
})

test('addComment refuses a comment on a closed post, by a blocked person, or on an unknown post', async () => {
  const { author, reader, id } = await commenting()
  const comment = { post_id: id, body: '*Hi*' }
  await author.discussions.setClosed({ post_id: id, is_closed: true })
  expect(await errorFields(reader.discussions.addComment(comment))).toEqual(['$'])
  await author.discussions.setClosed({ post_id: id, is_closed: false })
  await author.mutes.add({ handle: reader.handle, block: true })
  expect(await errorFields(reader.discussions.addComment(comment))).toEqual(['$'])
  expect(await errorCodeOf(reader.discussions.addComment({ ...comment, post_id: '2'.repeat(16) }))).toBe(
    'post_not_found',
  )
})
