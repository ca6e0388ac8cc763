import { expect, test } from 'vitest'
import { writeUsage } from '../../../routers/credentials/usage/store.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

const DAY = 24 * 60 * 60_000
/** Read once, so that all days fit together even if a test runs at midnight. */
const NOW = Date.now()
const dayBefore = (days: number) => new Date(NOW - days * DAY).toISOString().slice(0, 10)

const failure = { kind: 'key', at: new Date(), method: 'POST', fields: [] as string[] } as const

test('the usage of a key shows its calls by day and result, and what went wrong', async () => {
  const space = await dashboard.service.createSpace()
  const { owner, subdomain } = space
  const { id } = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['pages'] })
  const path = `/v1/spaces/${subdomain}/pages`
  await writeUsage(dashboard.service.core.database, {
    calls: [
      { kind: 'key', id, day: dayBefore(20), succeeded: 700, refused: 0, limited: 0, failed: 0 },
      { kind: 'key', id, day: dayBefore(1), succeeded: 1200, refused: 80, limited: 40, failed: 20 },
    ],
    failures: [
      {
        ...failure,
        id,
        path,
        status: 422,
        code: 'validation_failed',
        fields: ['slug', 'html'],
        reference: 'r1',
      },
      { ...failure, id, path, status: 429, code: 'rate_limited', reference: 'r2' },
      { ...failure, id, path: '/mcp create_page', status: 500, code: 'internal_error', reference: 'r3' },
    ],
  })
  const { page } = await dashboard.inSpace(space, '/keys')
  await page.getByRole('link', { name: 'Usage of Build' }).click()
  const dialog = page.getByRole('dialog', { name: 'Usage of “Build”' })
  await dialog.getByRole('definition').first().filter({ hasText: '2,040' }).waitFor()
  const chart = dialog.getByRole('table', { name: 'Calls by day and result' })
  expect(await chart.getByRole('row').count()).toBe(31)
  const yesterday = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(dayBefore(1)),
  )
  const row = chart
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: yesterday, exact: true }) })
  expect(await row.innerText()).toMatch(/1,200\s+80\s+40\s+20$/)
  const calls = dialog.getByRole('listitem')
  expect(await calls.count()).toBe(3)
  const wrong = calls.filter({ hasText: 'validation_failed' })
  for (const text of [`POST ${path}`, 'Wrong: slug, html', 'Reference r1'])
    await wrong.getByText(text).waitFor()
  await calls.filter({ hasText: 'rate_limited' }).getByText('Over the limit').waitFor()
  await calls.filter({ hasText: 'internal_error' }).getByText('POST /mcp create_page').waitFor()
  const explanation = wrong.getByRole('link', { name: 'validation_failed' })
  expect(await explanation.getAttribute('href')).toMatch(/\/docs#error-validation_failed$/)
  await expectAccessible(page, 'keys-usage')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page
    .locator(':focus')
    .and(page.getByRole('link', { name: 'Usage of Build' }))
    .waitFor()
})

test('the usage of an unused token is empty, and its first call appears without a reload', async () => {
  const person = await dashboard.service.signUp()
  const { id, secret } = await person.tokens.issue({ label: 'Bot', scopes: ['posts'] })
  const { page, open } = await dashboard.as(person)
  await open(`/account/tokens?usage=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Usage of “Bot”' })
  await dialog.getByText('No calls in the last 30 days').waitFor()
  await expectAccessible(page, 'tokens-no-usage')
  await dashboard.service.rest(secret).get('/posts')
  await dialog.getByText('None in the last 7 days.').waitFor()
})

test('a link to the usage of a key that is gone says so', async () => {
  const space = await dashboard.service.createSpace()
  const { page } = await dashboard.inSpace(space, '/keys?usage=abcdefghijkmnpqr')
  await page.getByText('This key no longer exists').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})
