import { beforeAll, expect, test } from 'vitest'
import type { Person } from '../support/test-service.ts'
import { expectAccessible, root, useDashboard } from './support/dashboard.ts'
import { expectNotice } from './support/notices.ts'
import { expectReadable } from './support/readable.ts'

const dashboard = useDashboard({ operators: ['chief'] })
let chief: Person

beforeAll(async () => {
  chief = await dashboard.service.signUp('chief')
})

test('an operator suspends the author of a reported post and lifts the suspension; the author sees the reason', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({
    format: 'html',
    html: '<style>p { color: red }</style><h1>Sale</h1><p>Buy now</p><script>document.body.textContent = ""</script>',
  })
  const { id: other } = await reader.posts.create({ format: 'markdown', markdown: 'Beans' })
  await reader.reports.create({ post_id: id, reason: 'Spam' })
  const { page, open } = await dashboard.as(chief)
  await open('/reports')
  await page.getByText('No account is suspended.').waitFor()
  await page.getByRole('button', { name: 'Suspend author' }).click()
  const dialog = page.getByRole('dialog', { name: `Suspend @${author.handle}?` })
  await dialog.getByLabel('Reason').fill('You only advertise.')
  await expectAccessible(page, 'suspend')
  await dialog.getByRole('button', { name: 'Suspend account' }).click()
  await expectNotice(page, `@${author.handle} is suspended.`)
  await page.getByText('Author is suspended').waitFor()
  const row = page.getByRole('list', { name: 'Suspended accounts' }).getByRole('listitem')
  await row.getByText('You only advertise.').waitFor()
  await expectAccessible(page, 'suspended-accounts')

  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open post' }).click()
  const post = await opened
  await post.getByText('only operators can see this post').waitFor()
  await post.frameLocator('iframe').getByText('Buy now').waitFor()
  await expectReadable(post, 'hidden-post')
  await post.close()

  const own = await dashboard.as(author)
  await own.open('/notifications')
  await own.page.getByRole('alert').getByText('You only advertise.').waitFor()
  await own.page.getByText('The operators suspended your account').waitFor()
  await expectAccessible(own.page, 'suspended')
  await own.page.goto(`${root(dashboard.service)}/posts/${other}`)
  await own.page.getByText('Your account is suspended, so you can’t comment.').waitFor()
  await expectReadable(own.page, 'suspended-reader')
  await own.open('/account/audit')
  await own.page.getByText('Account suspended').waitFor()

  await row.getByRole('button', { name: `Lift the suspension of ${author.handle}` }).click()
  await expectNotice(page, `The suspension of @${author.handle} is lifted.`)
  await page.getByText('No account is suspended.').waitFor()
  expect((await fetch(`${dashboard.service.root}/posts/${id}`)).status).toBe(200)
})

test('an operator suspends an account on its profile and lifts the suspension, without scripts', async () => {
  const author = await dashboard.service.signUp()
  const { context } = await dashboard.as(chief)
  const { context: plain } = await dashboard.window({ javaScriptEnabled: false })
  await plain.addCookies(await context.cookies())
  const page = await plain.newPage()
  const profile = `${root(dashboard.service)}/@${author.handle}`
  await page.goto(profile)
  await page.getByRole('link', { name: 'Suspend account' }).click()
  await page.getByLabel('Reason').fill('x'.repeat(501))
  await page.getByRole('button', { name: 'Suspend account' }).click()
  await page.getByRole('alert').getByText('The reason').waitFor()
  expect(await page.getByLabel('Reason').inputValue()).toBe('x'.repeat(501))
  await page.getByLabel('Reason').fill('You only advertise.')
  await page.getByRole('button', { name: 'Suspend account' }).click()
  await page.getByText('This account is suspended.').waitFor()
  const { page: reading } = await dashboard.anonymous()
  await reading.goto(profile)
  await expectReadable(reading, 'suspended-profile')

  await page.getByRole('link', { name: 'Change or lift the suspension' }).click()
  await page.getByRole('button', { name: 'Lift suspension' }).click()
  await page.getByRole('link', { name: 'Suspend account' }).waitFor()
  expect((await chief.suspensions.list({})).people).toEqual([])
})
