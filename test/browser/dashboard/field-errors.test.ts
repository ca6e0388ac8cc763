import { expect, test } from 'vitest'
import { rules } from '../../../routers/api/rules.ts'
import { useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'

const dashboard = useDashboard()

test('a new record starts with the focus in the key field, and the error of its value disappears when the value changes', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { page, open } = await dashboard.as(owner)
  await open(`/spaces/${subdomain}/new-record`)
  await page.getByLabel('Key').and(page.locator(':focus')).fill('long')
  await write(page, JSON.stringify('x'.repeat(rules.data.value_max_bytes)))
  const answer = page.waitForResponse(/records\.create/)
  await page.getByRole('button', { name: 'Create record' }).click()
  expect((await answer).status()).toBe(422)
  const errors = page.getByText(/The value is 2 bytes too large|Must be at most \d+ bytes/)
  await errors.first().waitFor()
  await write(page, '"short"')
  await expect.poll(() => errors.count()).toBe(0)
  await page.getByRole('button', { name: 'Create record' }).click()
  await page.waitForURL(url => url.pathname.endsWith('/data/long'))
})
