import { expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { PASSWORD, root, useDashboard } from './support/dashboard.ts'

const dashboard = useDashboard({ signUp: 'open' })

test('the front page fits every screen width and has no accessibility violations', async () => {
  const author = await dashboard.service.signUp()
  await author.posts.create({
    format: 'markdown',
    markdown: '# Spring\n\nThe first *bulbs* are out.',
    tags: ['garden'],
  })
  const { page } = await dashboard.window()
  for (const width of [360, 768, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.goto(root(dashboard.service))
      const { SHOTS } = process.env
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/front-${width}-${colorScheme}.png`, fullPage: true })
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
      ).toBeLessThanOrEqual(0)
      await expect.poll(() => page.evaluate<number>('document.images[0].naturalWidth')).toBeGreaterThan(0)
      expect({ width, colorScheme, violations: await violationsOf(page) }).toEqual({
        width,
        colorScheme,
        violations: [],
      })
    }
  // The link to create an account is visible without scrolling.
  const box = await page.getByRole('link', { name: 'Create an account' }).boundingBox()
  expect(box!.y + box!.height).toBeLessThan(900)
})

test('the front page links to sign-up and sign-in and, for a signed-in person, to the dashboard', async () => {
  const person = await dashboard.service.signUp()
  const { page } = await dashboard.anonymous()
  await page.goto(root(dashboard.service))
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Handle').fill(person.handle)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Create your first space' }).waitFor()
  await page.goto(root(dashboard.service))
  await page.getByText(`You are signed in as ${person.handle}.`).waitFor()
  await page.getByRole('link', { name: 'Open your dashboard' }).click()
  await page.getByRole('heading', { name: 'Create your first space' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/admin\/?$/)
})
