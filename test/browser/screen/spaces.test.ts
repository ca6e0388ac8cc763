import { describe, expect, test } from 'vitest'
import { expectAccessible, useScreen } from '../support/screen.ts'

const screen = useScreen()

describe('the list of spaces', () => {
  test('is where one comes to after signing in, and begins with one thing to do', async () => {
    const person = await screen.world.person()
    const { page, open } = await screen.stranger()
    await open('/')
    await page.getByLabel('Handle').fill(person.handle)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await expectAccessible(page, 'sign-in')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Make your first space' }).waitFor()
    await expectAccessible(page, 'spaces-empty')
  })

  test('leads to each space', async () => {
    const { owner, subdomain } = await screen.world.space()
    const { page, open } = await screen.as(owner)
    await open('/')
    await expectAccessible(page, 'spaces')
    await page.getByRole('link', { name: `The ${subdomain}` }).click()
    await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}`)
    expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page')
  })
})
