import { expect, test } from 'vitest'
import { root, useDashboard } from './support/dashboard.ts'
import { expectReadable } from './support/readable.ts'

const dashboard = useDashboard()

test('without scripts, a reader previews a formatted comment and sends it', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const { context } = await dashboard.as(reader)
  const { context: plain } = await dashboard.window({ javaScriptEnabled: false })
  await plain.addCookies(await context.cookies())
  const reading = await plain.newPage()
  const path = `${root(dashboard.service)}/posts/${id}`
  await reading.goto(path)
  const field = reading.getByLabel('Your comment')
  await field.fill('They *grow* in [gardens](https://example.com/):\n\n- beans\n- `peas`\n\n> Really?')
  await reading.getByRole('button', { name: 'Preview' }).click()
  const preview = reading.getByRole('status')
  await preview.getByRole('link', { name: 'gardens' }).waitFor()
  await field.press('End')
  await field.press('!')
  await reading.getByRole('button', { name: 'Comment', exact: true }).click()
  const item = reading.getByRole('article').getByRole('listitem').filter({ hasText: 'peas' })
  expect(await item.locator('code').innerText()).toBe('peas')
})

test('the preview updates with the text, and the text field does not move', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const { page } = await dashboard.as(reader)
  await page.goto(`${root(dashboard.service)}/posts/${id}`)
  const field = page.getByLabel('Your comment')
  const preview = page.getByRole('region', { name: 'Preview' })
  expect(await page.getByRole('button', { name: 'Preview' }).count()).toBe(0)
  const before = await field.boundingBox()
  await field.pressSequentially('They *grow*')
  await preview.locator('em').getByText('grow').waitFor()
  await field.press('ControlOrMeta+a')
  await field.press('Delete')
  await preview.locator('em').waitFor({ state: 'detached' })
  await field.fill(
    '- peas\n\n```\na long line of code thatdoesnotfitaphoneatallreallyandhasnospaces\n```\n<b>',
  )
  await preview.getByRole('listitem').getByText('peas').waitFor()
  await preview.getByText('<b>').waitFor()
  await expectReadable(page, 'comment-preview')
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await field.boundingBox()).toEqual(before)

  // If the text cannot be sent, an error replaces the preview.
  await field.fill('x'.repeat(501))
  await preview.getByText('but has 501').waitFor()
  await page.context().setOffline(true)
  await field.fill('- beans')
  await preview.getByText('You may be offline.').waitFor()
  await page.context().setOffline(false)
  await field.press('End')
  await field.press('!')
  await preview.getByRole('listitem').getByText('beans!').waitFor()
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('article').getByRole('listitem').getByText('beans!').waitFor()
})

test('text that the browser restores is previewed', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const { page } = await dashboard.as(reader)
  await page.goto(`${root(dashboard.service)}/posts/${id}`)
  const field = page.getByLabel('Your comment')
  await field.fill('They *grow*')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL(`${root(dashboard.service)}/`)
  await page.goBack()
  await page.getByRole('region', { name: 'Preview' }).locator('em').getByText('grow').waitFor()
  expect(await field.inputValue()).toBe('They *grow*')
})
