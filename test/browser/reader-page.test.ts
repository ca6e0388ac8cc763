import { expect, test } from 'vitest'
import { PASSWORD, root, useDashboard } from './support/dashboard.ts'
import { expectReadable } from './support/readable.ts'

const dashboard = useDashboard()

/** Opens a window in Tokyo, signed in as a person. */
const inTokyo = async (handle: string) => {
  const window = await dashboard.window({ timezoneId: 'Asia/Tokyo', reducedMotion: 'reduce' })
  await window.context.request.post(`${root(dashboard.service)}/trpc/sessions.create`, {
    data: { handle, password: PASSWORD },
  })
  return window
}

test('a signed-in reader sees local times and the number of unread notifications on public pages', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id, published_at } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const { page } = await inTokyo(author.handle)
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Tokyo',
  })
  const local = format.format(new Date(published_at!))
  const address = `${root(dashboard.service)}/posts/${id}`

  const unread = page.waitForResponse(response => response.url().endsWith('/trpc/notifications.unread'))
  await page.goto(address)
  await (await unread).finished()
  await page.locator('.post time').getByText(local, { exact: true }).waitFor()
  expect(await page.locator('.post time').getAttribute('title')).toMatch(/ UTC$/)
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()

  const comment = await reader.comments.create({ post_id: id, body: 'How tall?' })
  await page.reload()
  await page.getByRole('link', { name: 'Notifications 1 unread' }).waitFor()
  const commented = format.format(new Date(comment.created_at))
  await page.locator('.comment time').getByText(commented, { exact: true }).waitFor()
  await expectReadable(page, 'reader-page')

  const { page: visited } = await dashboard.window({ timezoneId: 'Asia/Tokyo' })
  await visited.goto(address)
  await visited.locator('.post time').getByText(' UTC').waitFor()
  expect(await visited.getByRole('link', { name: 'Notifications' }).count()).toBe(0)

  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
})

test('the full page of a post says who wrote it, and leads back', async () => {
  const author = await dashboard.service.signUp()
  await author.me.update({ display_name: 'Robin Field' })
  const { id } = await author.posts.create({
    format: 'html',
    html: '<title>Beans</title><h1>Beans</h1><button onclick="alert(origin)">Ask</button>',
  })
  const { page, events } = await dashboard.window({ reducedMotion: 'reduce' })
  await page.goto(`${root(dashboard.service)}/posts/${id}`)
  await page.getByRole('link', { name: 'Open full page' }).click()
  const shown = page.frameLocator('iframe[title="Beans"]')
  await shown.getByRole('heading', { name: 'Beans' }).waitFor()
  await expectReadable(page, 'full-post')
  await shown.getByRole('button', { name: 'Ask' }).click()
  const { origin } = new URL(dashboard.service.core.addresses.post(id))
  await expect.poll(() => events).toEqual([`alert ${origin}`])
  expect(await page.locator('iframe').evaluate(frame => frame.getBoundingClientRect().bottom)).toBe(900)
  await page.getByRole('link', { name: 'Robin Field' }).click()
  await page.getByRole('heading', { name: 'Robin Field' }).waitFor()
  await page.goBack({ waitUntil: 'load' })
  await page.getByRole('link', { name: 'Back to the post' }).click()
  await page.getByRole('heading', { name: 'A post by Robin Field' }).waitFor()
})
