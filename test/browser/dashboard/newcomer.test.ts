import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createSetUpLink } from '../../../routers/accounts/links/create.ts'
import { PASSWORD, useDashboard } from '../support/dashboard.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard({ signUp: 'invite' })
const run = promisify(execFile)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Replaces the text of the editor. */
const write = async (page: Page, text: string) => {
  await page.getByRole('textbox', { name: 'Page body' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(text)
}

/**
 * Runs a curl command and parses its output. Passes the IP address to curl, because not every machine resolves
 * subdomains of localhost.
 */
const runCurl = async (command: string): Promise<unknown> => {
  const { stdout } = await run('bash', ['-c', `${command} -sS --resolve '*:${port()}:127.0.0.1'`])
  return JSON.parse(stdout)
}
const port = () => new URL(dashboard.service.core.addresses.apiRoot).port

test('starting with the set-up link, a new user can publish a page and create a key that works in curl', async () => {
  const { database, addresses } = dashboard.service.core
  const { page, context } = await dashboard.anonymous()

  // Create the link that the service prints at its first start.
  await page.goto((await createSetUpLink(database, addresses))!)
  await page.getByLabel('Handle').fill('robin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Create account').click()
  await button(page, 'I have saved them').click()

  await page.getByLabel('Name').fill('The Garden Club')
  await page.getByLabel('Subdomain').fill('garden')
  await page.getByRole('radio', { name: 'Empty' }).click()
  await button(page, 'Create space').click()

  await page.getByRole('link', { name: 'Create a page' }).click()
  await page.getByLabel('Slug').fill('hello')
  await page.getByText('Scripted', { exact: true }).click()
  await write(page, '<h1>Hello from {{ space.name }}</h1>')
  await expectShown(
    page
      .frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')
      .getByRole('heading', { name: 'Hello from The Garden Club' }),
  )
  await page.keyboard.press('Control+s')
  await page.getByText('All changes saved').waitFor()

  // A window without a session can open the page.
  const reader = await dashboard.window()
  await reader.page.goto(addresses.page('garden', 'hello'))
  await reader.page
    .frameLocator('iframe')
    .getByRole('heading', { name: 'Hello from The Garden Club' })
    .waitFor()

  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await page.getByRole('link', { name: 'New key' }).click()
  await page.getByLabel('Label').fill('My first key')
  await button(page, 'Create key').click()
  const command = await page.getByRole('region', { name: 'Snippet for curl' }).innerText()
  expect(await runCurl(command)).toMatchObject({ subdomain: 'garden', name: 'The Garden Club' })
  await button(page, 'I have saved it').click()

  // Sign out and sign in again.
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Handle').fill('robin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign in').click()
  await page.getByRole('link', { name: 'The Garden Club' }).waitFor()
  expect((await context.cookies()).map(({ name, httpOnly }) => ({ name, httpOnly }))).toEqual([
    { name: 'browser', httpOnly: true },
    { name: 'session', httpOnly: true },
  ])
})
