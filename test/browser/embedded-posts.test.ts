/** Tests what a post in HTML can do to the page of the main site that shows it in a frame. */
import type { Frame, Page, Request } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Person } from '../support/test-service.ts'
import { PASSWORD, root } from './support/dashboard.ts'
import { clickUntil, useReaderBrowser } from './support/delivery.ts'

const readerBrowser = useReaderBrowser()
let author: Person
let id: string

beforeEach(async () => {
  author = await readerBrowser.service.signUp()
})
// Pages with several posts would show the posts of earlier tests too.
afterEach(() => author.api.delete(`/posts/${id}`))

const publish = async (html: string) => {
  id = (await author.api.post<{ id: string }>('/posts', { html })).body.id
}

/** The frame that shows the post. */
const postOn = async (page: Page): Promise<Frame> =>
  (await (await page.waitForSelector('article iframe')).contentFrame())!

/** The text of the post's first paragraph, or null once the frame shows something else. */
const paragraphOf = async (page: Page) => (await postOn(page)).locator('p').textContent()

test('a post in HTML opens no dialog, and cannot replace the window, not even on a click', async () => {
  await publish(`<script>alert(1); confirm(2); prompt(3); print(); console.log('ran')
const leave = () => { try { top.location = 'https://elsewhere.example/' } catch ({ name }) { console.log('ran into ' + name) } }
leave()</script><p>text</p><button onclick="leave()">leave</button>`)
  const main = root(readerBrowser.service)
  const { context, events } = await readerBrowser.window()
  const { handle } = await readerBrowser.service.signUp()
  const headers = { Origin: main }
  await context.request.post(`${main}/trpc/sessions.create`, { data: { handle, password: PASSWORD } })
  await context.request.post(`${main}/@${author.handle}/follow`, { headers, form: { follow: 'yes' } })
  for (const path of ['/', '/following', `/@${author.handle}`, `/posts/${id}`]) {
    // A tab for each address, so that nothing from the one before arrives late.
    const page = await context.newPage()
    events.length = 0
    await page.goto(`${main}${path}`)
    await expect.poll(() => events).toEqual(['ran', 'ran into SecurityError'])
    await clickUntil((await postOn(page)).getByRole('button'), () => events.length > 2)
    expect(await paragraphOf(page)).toBe('text')
    expect(page.url()).toBe(`${main}${path}`)
    expect(new Set(events.slice(1))).toEqual(new Set(['ran into SecurityError']))
    await page.close()
  }
})

test('links, forms and scripts of a post can open addresses for other programs, and the post stays', async () => {
  await publish(`<p>text</p><a href="mailto:ann@example.com">link</a>
<form action="tel:1" method="post"><button>form</button></form>
<button onclick="location.href = 'geo:52.5,13.4'">script</button>`)
  const { context, page } = await readerBrowser.window()
  await page.goto(root(readerBrowser.service))
  const failed: Request[] = []
  context.on('requestfailed', request => failed.push(request))
  for (const [name, address] of [
    ['link', 'mailto:ann@example.com'],
    ['form', 'tel:1'],
    ['script', 'geo:52.5,13.4'],
  ] as const) {
    const find = () => failed.find(request => request.url() === address)
    await clickUntil((await postOn(page)).getByText(name), () => find() !== undefined)
    // The headless browser has no other programs. If a policy blocked the address, there would be no request.
    expect(find()!.failure()?.errorText).toBe('net::ERR_ABORTED')
    expect(await paragraphOf(page)).toBe('text')
  }
})

test('a link of a post leads to another website, in a new tab if it has target="_blank"', async () => {
  const main = root(readerBrowser.service)
  await publish(`<p>text</p><a target="_blank" href="${main}/docs">tab</a>
<a href="https://elsewhere.invalid/">frame</a>`)
  const { context, page } = await readerBrowser.window()
  await page.goto(`${main}/`)
  await clickUntil((await postOn(page)).getByText('tab'), () => context.pages().length > 1)
  await context.pages()[1]!.waitForURL(`${main}/docs`)
  expect(await paragraphOf(page)).toBe('text')
  const post = await postOn(page)
  const [request] = await Promise.all([
    // The other tab can have failed requests of its own.
    context.waitForEvent('requestfailed', request => !request.url().startsWith(main)),
    post.getByText('frame').click(),
  ])
  expect(request.url()).toBe('https://elsewhere.invalid/')
  expect(page.url()).toBe(`${main}/`)
})
