import { describe, expect, test } from 'vitest'
import { limits } from '../../../routers/api/rules.ts'
import { copyCredential } from '../../support/copies.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { breakTable, rateLimit } from '../support/failures.ts'
import { createSpaceWithoutKeys, openKeys, textOf } from '../support/keys.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

/** Moves the creation and expiry of all keys back by an interval. */
const age = (interval: string) =>
  dashboard.service.core.database.orm.em
    .fork()
    .execute(
      `update space_keys set created_at = created_at - interval '${interval}', expires_at = expires_at - interval '${interval}'`,
    )

describe('creating a key', () => {
  test('shows the key once, with snippets that work', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { page } = await openKeys(dashboard, space)
    await page.getByRole('heading', { name: 'Create your first key' }).waitFor()
    await expectAccessible(page, 'keys-empty')
    await page.getByRole('link', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Label').fill('Website build')
    await form.getByLabel('Expires').selectOption('In 90 days')
    await expectAccessible(page, 'keys-issue')
    await form.getByRole('button', { name: 'Create key' }).click()

    const dialog = page.getByRole('dialog', { name: 'Your new key “Website build”' })
    await dialog.waitFor()
    const key = await textOf(page, 'Key')
    expect(key).toMatch(/^ss_sk_[0-9A-Za-z]{38}$/)
    await expectAccessible(page, 'keys-secret')

    const curl = await textOf(page, 'Snippet for curl')
    const [, header, url] = /-H "Authorization: (.+)" \\\n {2}(http\S+)$/.exec(curl)!
    const response = await fetch(url!, { headers: { authorization: header! } })
    expect(await response.json()).toMatchObject({
      subdomain: space.subdomain,
      scopes: ['pages', 'data', 'files'],
    })
    expect(page.url()).not.toContain('ss_sk_')
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(key)

    await page.keyboard.press('Escape')
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Expires in 3 months').waitFor()
    expect(await page.content()).not.toContain(key)
    await expectFocus(page, 'New key')
  })

  test('shows a snippet for each program', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { page } = await openKeys(dashboard, space, '?issue=true')
    await page.getByLabel('Label').fill('Agent')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    const key = await textOf(page, 'Key')
    const { apiRoot } = dashboard.service.core.addresses
    for (const [program, expected] of [
      [
        '.env',
        [`SPACE_SITE_API=${apiRoot}/v1`, `SPACE_SITE_SUBDOMAIN=${space.subdomain}`, `SPACE_SITE_KEY=${key}`],
      ],
      ['Claude Code', [`claude mcp add --transport http space-site ${apiRoot}/mcp`, `Bearer ${key}`]],
      ['Cursor', [`"url": "${apiRoot}/mcp"`, `Bearer ${key}`]],
      ['VS Code', [`"url": "${apiRoot}/mcp"`, `\${input:space-site-key}`]],
    ] as const) {
      await page.getByRole('tab', { name: program }).click()
      const snippet = await textOf(page, `${program === 'VS Code' ? 'File' : 'Snippet'} for ${program}`)
      for (const line of expected) expect(snippet).toContain(line)
      if (program === 'VS Code') await expectAccessible(page, 'keys-secret-vs-code')
    }
  })

  test('shows validation errors at each field', async () => {
    const { page } = await openKeys(dashboard, await createSpaceWithoutKeys(dashboard), '?issue=true')
    const checked = page.getByRole('checkbox', { checked: true })
    await checked.first().waitFor()
    for (let left = await checked.count(); left > 0; left--) await checked.first().uncheck()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Must be 1 to 60 characters long.').waitFor()
    await page.getByText('Choose at least one permission.').waitFor()
    await expectAccessible(page, 'keys-issue-invalid')
    await page.getByLabel('Label').fill('Agent')
    await page.getByText('Must be 1 to 60 characters long.').waitFor({ state: 'detached' })
  })

  test('keeps the form while offline', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { page, context } = await openKeys(dashboard, space, '?issue=true')
    await page.getByLabel('Label').fill('Typed with care')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByText('You are offline').waitFor()
    await context.setOffline(false)
    await expect.poll(() => page.getByLabel('Label').inputValue()).toBe('Typed with care')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Your new key “Typed with care”' }).waitFor()
    await expect.poll(() => space.owner.keys.list({ subdomain: space.subdomain })).toHaveLength(1)
  })

  test('says that a key must be revoked first if the space has the maximum number of keys, and keeps the form', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { subdomain, owner } = space
    const { id } = await owner.keys.issue({ subdomain, label: 'Program', scopes: ['pages'] })
    await copyCredential(dashboard.service, 'space_keys', id, limits.keys - 1)
    const { page, context } = await openKeys(dashboard, space, '?issue=true')
    await page.getByLabel('Label').fill('One too many')
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form
      .getByText(
        `A space can have at most ${limits.keys} keys and connected apps. Revoke one you no longer use`,
      )
      .waitFor()
    const [list] = await Promise.all([
      context.waitForEvent('page'),
      form.getByRole('link', { name: 'Open your keys in a new tab' }).click(),
    ])
    const revoke = list.getByRole('link', { name: /^Revoke Program/ }).first()
    const link = await revoke.getAttribute('href')
    await revoke.click()
    await list.getByRole('button', { name: 'Revoke key' }).click()
    await list.locator(`a[href="${link}"]`).waitFor({ state: 'detached' })
    await page.bringToFront()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Your new key “One too many”' }).waitFor()
    await expect.poll(() => owner.keys.list({ subdomain })).toHaveLength(limits.keys)
  })

  test('asks for confirmation before leaving without having copied the key', async () => {
    const { owner, subdomain } = await createSpaceWithoutKeys(dashboard)
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/settings`)
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('link', { name: 'New key' }).click()
    await page.getByLabel('Label').fill('Agent')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    // The first Back stays in the keys view and keeps the dialog open. The second Back would leave the view.
    await page.goBack()
    await page.getByRole('tab', { name: 'Cursor' }).click()
    await page.getByRole('region', { name: 'Snippet for Cursor' }).waitFor()
    await page.goBack()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving the key?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'I have saved it' }).isVisible()).toBe(true)
  })

  test('has a copy button that reports success and failure', async () => {
    const { page, context } = await openKeys(
      dashboard,
      await createSpaceWithoutKeys(dashboard),
      '?issue=true',
    )
    await page.getByLabel('Label').fill('Agent')
    await page.getByRole('button', { name: 'Create key' }).click()
    const copy = page.getByRole('button', { name: 'Copy Key' })
    await copy.waitFor()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await copy.click()
    await expectNotice(page, 'Copied Key')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await textOf(page, 'Key'))
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`)
    await copy.click()
    await page.getByRole('alert').getByText('copy it yourself').waitFor()
  })
})

describe('the list of keys', () => {
  test('shows the latest 50, and older ones on request', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { subdomain, owner } = space
    const { id } = await owner.keys.issue({ subdomain, label: 'Program', scopes: ['pages'] })
    await copyCredential(dashboard.service, 'space_keys', id, 59)
    const { page } = await openKeys(dashboard, space)
    const keys = page.getByRole('list', { name: 'Keys' }).locator('> li')
    const more = page.getByRole('button', { name: 'Show older keys' })
    await more.waitFor()
    expect(await keys.count()).toBe(50)
    await more.click()
    await more.waitFor({ state: 'detached' })
    expect(await keys.count()).toBe(60)
  })

  test('marks keys that have expired or expire soon, and shows which participant each key depends on', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { subdomain, owner } = space
    const guest = await dashboard.service.signUp()
    const { url } = await owner.invites.create({ subdomain })
    await guest.invites.accept({ token: new URL(url).hash.slice(1) })
    const issue = (label: string, days: 30 | 90 | null, by = owner) =>
      by.keys.issue({ subdomain, label, scopes: ['pages', 'files_write'], expires_in_days: days })
    await issue('Expired key', 30)
    await age('20 days')
    await issue('Expiring key', 30)
    await age('20 days')
    await issue('An agent that writes the newsletter and keeps the archive', 90, guest)
    await issue('Permanent key', null)
    const { page } = await openKeys(dashboard, space)
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Expired key' })
      .getByText('Expired', { exact: true })
      .waitFor()
    await page.getByRole('link', { name: 'Delete Expired key' }).waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Expiring key' })
      .getByText('Expires next week')
      .waitFor()
    await page.getByText(`Stops working if ${guest.handle} leaves`).waitFor()
    await expectAccessible(page, 'keys')
  })

  test('shows an internal error with its reference, and can be retried', async () => {
    const space = await dashboard.service.createSpace()
    const restore = await breakTable(dashboard.service, 'space_keys')
    const { page } = await dashboard.inSpace(space, '/keys', { isLive: false })
    await page.getByText(/Reference /).waitFor()
    await expectAccessible(page, 'keys-error')
    await restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Revoke test' }).waitFor()
  })

  test('counts down to the retry if its calls are rate limited', async () => {
    const space = await dashboard.service.createSpace()
    const window = await dashboard.as(space.owner)
    await rateLimit(window.page, 'keys.list', 30)
    await window.open(`/spaces/${space.subdomain}/keys`)
    await window.page.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor()
    await expectAccessible(window.page, 'keys-rate-limited')
  })
})
