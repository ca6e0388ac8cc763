import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { policyOf } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { mainSiteOf } from './support/main-site.ts'

const service = useTestService()

/** Creates a post, and the browsers of a signed-in reader and of a visitor. */
const start = async () => {
  const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const browser = await mainSiteOf(service, reader)
  const preview = (body: string, headers?: Record<string, string>) =>
    browser.send(`/posts/${id}/comments/preview`, { body }, headers)
  return { author, reader, id, browser, preview, visitor: await mainSiteOf(service, null) }
}

test('the script of the comment form gets only the formatted text, and nothing is stored', async () => {
  const { reader, id, preview } = await start()
  const { status, text, headers } = await preview('They *grow* & <b>')
  expect({ status, text }).toEqual({ status: 200, text: '<p>They <em>grow</em> &amp; &lt;b&gt;</p>\n' })
  expect(headers['cache-control']).toBe('private, no-cache')
  expect((await reader.comments.list({ post_id: id })).data).toEqual([])
})

test('the preview of a comment that is too long says so, in plain text', async () => {
  const { preview } = await start()
  const { status, text, headers } = await preview('x'.repeat(501))
  expect(status).toBe(422)
  expect(headers['content-type']).toContain('text/plain')
  expect(text).toContain('but has 501')
})

test('a visitor, and a form of another site, get no preview', async () => {
  const { id, preview, visitor } = await start()
  const refused = await visitor.send(`/posts/${id}/comments/preview`, { body: 'a' })
  expect(refused).toMatchObject({ status: 401, text: expect.stringContaining('signed out') as string })
  expect((await preview('a', { origin: 'http://elsewhere.example' })).status).toBe(403)
})

test('too many previews are refused, and Retry-After says how long to wait', async () => {
  const { reader, preview } = await start()
  expect((await preview('a')).status).toBe(200)
  const account = await service.core.database
    .selectFrom('accounts')
    .where('handle', '=', reader.handle)
    .select('id')
    .executeTakeFirstOrThrow()
  while (!(await service.core.previews.consume(account.id)).refused);
  const { status, headers, text } = await preview('a')
  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(text).toContain('too often')
})

test('pages run only the scripts for signed-in readers: that of every page, and that of the comment form', async () => {
  const { author, id, browser, visitor } = await start()
  const scriptsOf = ({ text }: { text: string }) =>
    Array.from(text.matchAll(/<script[^>]*>(.*?)<\/script>/gs), ([, script = '']) => script)
  const page = await browser.get(`/posts/${id}`)
  const [ofForm = '', ofPage = '', ...others] = scriptsOf(page)
  expect(page.text).toContain(`<script data-address="/posts/${id}/comments/preview">${ofForm}`)
  expect(others).toEqual([])
  const sources = [ofPage, ofForm].map(
    script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  expect(policyOf(page)).toMatchObject({
    'default-src': "'none'",
    'script-src': sources.join(' '),
    'connect-src': "'self'",
  })
  expect(scriptsOf(await browser.get('/'))).toEqual([ofPage])
  await author.discussions.setClosed({ post_id: id, is_closed: true })
  expect(scriptsOf(await browser.get(`/posts/${id}`))).toEqual([ofPage])
  const visited = await visitor.get(`/posts/${id}`)
  expect(scriptsOf(visited)).toEqual([])
  expect(policyOf(visited)).not.toHaveProperty('script-src')
})
