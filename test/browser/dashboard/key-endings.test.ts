import { describe, expect, test } from 'vitest'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { bareSpace, openKeys, textOf } from '../support/keys.ts'

const dashboard = useDashboard()

describe('revoking a key', () => {
  test('can be linked to, says what stops, and ends the key at once', async () => {
    const space = await dashboard.world.space()
    const { subdomain, owner } = space
    const { id, secret } = await owner.keys.issue({ subdomain, label: 'Old agent', scopes: ['pages'] })
    const { page } = await openKeys(dashboard, space, `?revoke=${id}`)
    const dialog = page.getByRole('dialog', { name: 'Revoke “Old agent”?' })
    await dialog.getByText('It has never been used.').waitFor()
    await expectAccessible(page, 'keys-revoke')
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('The key has been revoked.').waitFor()
    expect((await dashboard.world.rest(secret).get(`/spaces/${subdomain}`)).status).toBe(401)
    await page.getByRole('heading', { name: 'Old agent' }).waitFor({ state: 'detached' })
    await expectFocus(page, 'New key')
  })

  test('that somebody else has done already is said so', async () => {
    const space = await dashboard.world.space()
    const { page } = await openKeys(dashboard, space, '?revoke=k3v9x2m7q4t8w5z6')
    await page.getByText('This key is not there any more').waitFor()
    await expectAccessible(page, 'keys-gone')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.waitForURL(url => url.search === '')
  })

  test('can be thought better of, and the keyboard is where it was', async () => {
    const space = await dashboard.world.space()
    const { page } = await openKeys(dashboard, space)
    await page.getByRole('link', { name: 'Revoke test' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(page, 'Revoke')
    expect(await space.owner.keys.list({ subdomain: space.subdomain })).toHaveLength(1)
  })
})

describe('rotating a key', () => {
  test('shows the new one and when the old one stops', async () => {
    const space = await bareSpace(dashboard)
    const { subdomain, owner } = space
    const old = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    const { page } = await openKeys(dashboard, space)
    await page.getByRole('link', { name: 'Rotate Build' }).click()
    await page.getByRole('radio', { name: 'In 7 days' }).check()
    await expectAccessible(page, 'keys-rotate')
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByText('The old key stops in 7 days.').waitFor()
    const fresh = await textOf(page, 'Key')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('Replaced, stops in 7 days').waitFor()
    for (const secret of [old.secret, fresh])
      expect((await dashboard.world.rest(secret).get(`/spaces/${subdomain}/data`)).status).toBe(200)
    expect(await page.getByRole('link', { name: 'Rotate Build' }).count()).toBe(1)
    await expectAccessible(page, 'keys-replaced')
  })

  test('that somebody else has done already says so in the dialog', async () => {
    const space = await bareSpace(dashboard)
    const { subdomain, owner } = space
    const { id } = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    const { page } = await openKeys(dashboard, space, `?rotate=${id}`)
    await page.getByRole('button', { name: 'Rotate key' }).waitFor()
    await owner.keys.rotate({ subdomain, key_id: id, overlap_seconds: 3600 })
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('alert').getByText('The key has ended').waitFor()
    expect(await owner.keys.list({ subdomain })).toHaveLength(2)
  })
})
