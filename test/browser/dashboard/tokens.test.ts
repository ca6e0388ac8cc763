import { describe, expect, test } from 'vitest'
import { connect, isAccepted } from '../../oauth/support/flow.ts'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { breakTable } from '../support/failures.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

/** Creates a person without tokens: deletes the one that `service.signUp()` creates. */
const personWithoutTokens = async () => {
  const person = await dashboard.service.signUp()
  for (const { id } of await person.tokens.list()) await person.tokens.revoke({ token_id: id })
  return person
}

const openTokens = async (person: Person, search = '') => {
  const window = await dashboard.as(person)
  await window.open(`/account/tokens${search}`)
  await window.page.getByRole('heading', { name: 'Tokens and apps' }).waitFor()
  return window
}

describe('a token', () => {
  test('is shown once, right after its creation, and works', async () => {
    const person = await personWithoutTokens()
    const { page } = await openTokens(person)
    await page.getByRole('heading', { name: 'Create your first token' }).waitFor()
    await expectAccessible(page, 'tokens-empty')
    await page.getByRole('link', { name: 'New token' }).click()
    await page.getByLabel('Label').fill('Blog import')
    await page.getByRole('checkbox', { name: 'Change your name, handle, bio and picture' }).check()
    await expectAccessible(page, 'tokens-issue')
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await page.getByRole('region', { name: 'Token' }).innerText()
    await expectAccessible(page, 'tokens-secret')
    const curl = await page.getByRole('region', { name: 'Snippet for curl' }).innerText()
    const [, header, url] = /-H "Authorization: (.+)" \\\n {2}(http\S+)$/.exec(curl)!
    expect(header).toBe(`Bearer ${token}`)
    const response = await fetch(url!, { headers: { authorization: header! } })
    expect(await response.json()).toMatchObject({ handle: person.handle, scopes: ['posts', 'profile'] })
    await page.getByRole('tab', { name: 'Claude Code' }).click()
    const snippet = await page.getByRole('region', { name: 'Snippet for Claude Code' }).innerText()
    expect(snippet).toContain(`${dashboard.service.core.addresses.apiRoot}/user-mcp`)
    // The list behind the dialog must have loaded: until then, another link has the name that gets the focus.
    await page.getByRole('heading', { name: 'Blog import', exact: true }).waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await expectFocus(page, 'New token')
  })

  test('can be rotated, and the old token stops working at the chosen time', async () => {
    const person = await personWithoutTokens()
    const old = await person.tokens.issue({ label: 'Bot', scopes: ['likes'] })
    const { page } = await openTokens(person)
    await page.getByRole('link', { name: 'Rotate Bot' }).click()
    await page.getByRole('radio', { name: 'Immediately' }).check()
    await expectAccessible(page, 'tokens-rotate')
    await page.getByRole('button', { name: 'Rotate token' }).click()
    const newToken = await page.getByRole('region', { name: 'Token' }).innerText()
    expect([
      await isAccepted(dashboard.service, old.secret),
      await isAccepted(dashboard.service, newToken),
    ]).toEqual([false, true])
  })

  test('can be revoked with a link to the revocation dialog', async () => {
    const person = await personWithoutTokens()
    const { id, secret } = await person.tokens.issue({ label: 'Bot', scopes: ['likes'] })
    const { page } = await openTokens(person, `?revoke=${id}`)
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByRole('heading', { name: 'Create your first token' }).waitFor()
    await expectFocus(page, 'New token')
    expect(await isAccepted(dashboard.service, secret)).toBe(false)
  })
})

describe('a connected app', () => {
  test('is listed with its origin, and can be disconnected', async () => {
    const { person, access } = await connect(dashboard.service, ['posts', 'comments'])
    await person.tokens.issue({ label: 'Bot', scopes: ['likes'], expires_in_days: 365 })
    const { page } = await openTokens(person)
    const row = page.getByRole('listitem').filter({ hasText: 'Test client' })
    await row.getByText('Unverified name, redirects to client.example').waitFor()
    // The expiry of the app's access token is not shown, because the app refreshes it.
    await expect.poll(() => row.getByText(/expire/i).count()).toBe(0)
    await expectAccessible(page, 'tokens')
    await row.getByRole('link', { name: 'Disconnect Test client' }).click()
    await expectAccessible(page, 'tokens-disconnect')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await expectNotice(page, 'App disconnected.')
    await row.waitFor({ state: 'detached' })
    expect(await isAccepted(dashboard.service, access)).toBe(false)
  })
})

describe('the list of tokens', () => {
  test('shows an internal error with its reference, and can be retried', async () => {
    const person = await personWithoutTokens()
    const restore = await breakTable(dashboard.service, 'oauth_grants')
    const { page } = await openTokens(person)
    await page.getByText(/Reference /).waitFor()
    await restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    const empty = page.getByRole('heading', { name: 'Create your first token' })
    await empty.waitFor()
    await expect.poll(() => empty.count()).toBe(1)
  })
})
