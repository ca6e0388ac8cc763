import { test } from 'vitest'
import { root, useDashboard } from './support/dashboard.ts'
import { expectReadable } from './support/readable.ts'

const dashboard = useDashboard()

test('a reader previews a comment with formatting, and sends it, without scripts', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const { context, page } = await dashboard.as(reader)
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
  await reading.getByRole('article').getByRole('listitem').filter({ hasText: 'peas' }).waitFor()

  await page.goto(path)
  await page
    .getByLabel('Your comment')
    .fill('They *grow*:\n\n```\na long line of code thatdoesnotfitaphoneatallreallyandhasnospaces\n```')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('status').waitFor()
  await expectReadable(page, 'comment-preview')
})
