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

describe('the author of a comment', () => {
  /** Adds a comment, and returns functions that open and send the form that edits it, as a person or a visitor. */
  const editing = async () => {
    const { author, reader, id, page } = await commenting()
    const { id: comment } = await reader.discussions.addComment({ post_id: id, body: 'They *grow*' })
    const path = `/posts/${id}/comments/${comment}/edit`
    const as = async (person: Person | null) => {
      const browser = await mainSiteOf(service, person)
      return {
        form: () => browser.get(path),
        send: (fields: Record<string, string>) => browser.send(path, fields),
        post: async () => (await browser.get(`/posts/${id}`)).text,
      }
    }
    const stored = async () => (await reader.comments.list({ post_id: id })).data[0]
    return { author, reader, id, comment, page, as, path, stored }
  }

  test('edits it on a page that has its Markdown, and readers see the new text and that it was edited', async () => {
    const { reader, id, comment, page, as, path, stored } = await editing()
    const { form, send, post } = await as(reader)
    expect(await post()).toContain(`href="${path}"`)
    expect((await form()).text).toContain('>\nThey *grow*</textarea>')
    expect(await page()).not.toContain('· edited')
    const { status, headers } = await send({ body: ' They **grew**\r\nfast ' })
    expect(status).toBe(303)
    expect(headers.location).toBe(`/posts/${id}#comment-${comment}`)
    expect(await page()).toContain('<p>They <strong>grew</strong><br>\nfast</p>')
    expect(await page()).toContain('· edited')
    expect(await stored()).toMatchObject({ id: comment, body: 'They **grew**\nfast' })
  })

  test('can preview the change, which stores nothing', async () => {
    const { reader, as, stored } = await editing()
    const { send } = await as(reader)
    const { status, text } = await send({ body: 'They **grew**', preview: 'yes' })
    expect(status).toBe(200)
    expect(text).toContain('<p>They <strong>grew</strong></p>')
    expect(text).toContain('>\nThey **grew**</textarea>')
    expect(await stored()).toMatchObject({ body: 'They *grow*' })
  })

  test('sees why a text is refused, and keeps it', async () => {
    const { reader, as, stored } = await editing()
    const { send } = await as(reader)
    const body = 'x'.repeat(501)
    const { status, text } = await send({ body })
    expect(status).toBe(422)
    expect(text).toContain(`>\n${body}</textarea>`)
    expect(text).toContain('role="alert"')
    expect(await stored()).toMatchObject({ body: 'They *grow*' })
  })

  test('keeps the text if the session has ended', async () => {
    const { as, stored } = await editing()
    const { status, text } = await (await as(null)).send({ body: 'My long thoughts' })
    expect(status).toBe(401)
    expect(text).toContain('You are signed out, so your change was not saved.')
    expect(text).toContain('>\nMy long thoughts</textarea>')
    expect(await stored()).toMatchObject({ body: 'They *grow*' })
  })

  test('can still edit it after the post was closed', async () => {
    const { author, reader, id, as, stored } = await editing()
    await author.discussions.setClosed({ post_id: id, is_closed: true })
    expect((await (await as(reader)).send({ body: 'They grew' })).status).toBe(303)
    expect(await stored()).toMatchObject({ body: 'They grew' })
  })

  test('is the only one who can: nobody else gets the link, the page or the change', async () => {
    const { author, path, as, stored } = await editing()
    const { form, send, post } = await as(author)
    expect(await post()).not.toContain(path)
    expect((await form()).status).toBe(404)
    expect((await send({ body: 'Not yours' })).status).toBe(404)
    expect(await stored()).toMatchObject({ body: 'They *grow*' })
    const visitor = await (await as(null)).form()
    expect(visitor.status).toBe(303)
    expect(visitor.headers.location).toContain('/admin/sign-in?post=')
  })

  test('gets a 404 below the address of another post', async () => {
    const { author, reader, comment } = await editing()
    const { id: other } = await author.posts.create({ format: 'markdown', markdown: 'Peas' })
    const browser = await mainSiteOf(service, reader)
    expect((await browser.get(`/posts/${other}/comments/${comment}/edit`)).status).toBe(404)
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
