import { expect, test } from 'vitest'
import { expectAccessible, expectFocus, PASSWORD, root, useDashboard } from './support/dashboard.ts'
import { expectNotice } from './support/notices.ts'
import { expectReadable } from './support/readable.ts'

const dashboard = useDashboard({ signUp: 'open' })

test('a visitor signs in to follow a person, and reads their posts, without scripts on public pages', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  await author.me.update({ display_name: 'Robin Field', bio: 'I grow beans.' })
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'They *grow*.' })
  const site = root(dashboard.service)
  const { page, context } = await dashboard.anonymous()
  await page.goto(`${site}/@${author.handle}`)
  await expectReadable(page, 'profile-signed-out')
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Handle').fill(reader.handle)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${site}/@${author.handle}`)

  await page.getByRole('link', { name: 'Following' }).click()
  await page.getByText('To follow someone, open their profile').waitFor()
  await expectReadable(page, 'following-empty')

  const { context: plain } = await dashboard.window({ javaScriptEnabled: false })
  await plain.addCookies(await context.cookies())
  const reading = await plain.newPage()
  await reading.goto(`${site}/@${author.handle}`)
  await reading.getByRole('button', { name: 'Follow Robin Field', exact: true }).click()
  await reading.getByRole('button', { name: 'Following Robin Field, unfollow' }).waitFor()
  await page.goto(`${site}/@${author.handle}`)
  await expectReadable(page, 'following-profile')
  await reading.getByRole('link', { name: 'Following' }).click()
  await reading.getByText('They grow.').waitFor()
  await page.goto(`${site}/following`)
  await expectReadable(page, 'following')

  await reading.goto(`${site}/posts/${id}`)
  await reading.getByRole('button', { name: 'Following Robin Field, unfollow' }).focus()
  await reading.keyboard.press('Enter')
  await reading.getByRole('button', { name: 'Follow Robin Field', exact: true }).waitFor()
  expect((await reader.follows.list({})).people).toEqual([])
})

test('people are followed and unfollowed in the dashboard', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  await author.me.update({ display_name: 'Robin Field' })
  const { page, open } = await dashboard.as(reader)
  await open('/people')
  await page.getByRole('heading', { name: 'You don’t follow anyone' }).waitFor()
  await expectAccessible(page, 'people-empty')

  const field = page.getByLabel('Follow a person')
  await field.fill('not a handle')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('Must be 3 to 15 letters').waitFor()
  await field.fill('no_such_person')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByRole('alert').getByText('Nobody has the handle no_such_person.').waitFor()
  await expectAccessible(page, 'people-refused')
  expect(await field.inputValue()).toBe('no_such_person')

  await field.fill(`@${author.handle}`)
  await field.press('Enter')
  await expectNotice(page, `You follow @${author.handle}.`)
  const row = page.getByRole('list', { name: 'People you follow' }).getByRole('listitem')
  await row.getByRole('link', { name: 'Robin Field' }).waitFor()
  await page.getByRole('heading', { name: 'Following 1 person' }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  await expectAccessible(page, 'people')

  await row.getByRole('button', { name: `Unfollow ${author.handle}` }).click()
  await expectNotice(page, `You no longer follow @${author.handle}.`)
  await page.getByRole('heading', { name: 'You don’t follow anyone' }).waitFor()
  await expectFocus(page, 'You don’t follow anyone')
})
