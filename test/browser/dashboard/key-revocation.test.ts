import { describe, expect, test } from 'vitest'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { createSpaceWithoutKeys, openKeys, textOf } from '../support/keys.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

describe('revoking a key', () => {
  test('can be started with a link, and stops the key immediately', async () => {
    const space = await dashboard.service.createSpace()
    const { subdomain, owner } = space
    const { id, secret } = await owner.keys.issue({ subdomain, label: 'Old agent', scopes: ['pages'] })
    const { page } = await openKeys(dashboard, space, `?revoke=${id}`)
    const dialog = page.getByRole('dialog', { name: 'Revoke “Old agent”?' })
    await dialog.getByText('No use recorded yet.').waitFor()
    await expectAccessible(page, 'keys-revoke')
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await expectNotice(page, 'Key revoked.')
    expect((await dashboard.service.rest(secret).get(`/spaces/${subdomain}`)).status).toBe(401)
    await page.getByRole('heading', { name: 'Old agent' }).waitFor({ state: 'detached' })
    await expectFocus(page, 'New key')
  })

  test('shows that the key was used, even if it was first used after the list had loaded', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { subdomain, owner } = space
    const { secret } = await owner.keys.issue({ subdomain, label: 'Agent', scopes: ['pages'] })
    const { page } = await openKeys(dashboard, space)
    const link = page.getByRole('link', { name: 'Revoke Agent' })
    await link.waitFor()
    const { service } = dashboard
    await service.rest(secret).get(`/spaces/${subdomain}/pages`)
    await expect
      .poll(async () => {
        await service.core.lastUsed.flush()
        return (await owner.keys.list({ subdomain }))[0]!.last_used_at
      })
      .not.toBeNull()
    await link.click()
    await page.getByRole('dialog').getByText('It was last used').waitFor()
  })

  test('shows a message if the key has already been revoked', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await openKeys(dashboard, space, '?revoke=k3v9x2m7q4t8w5z6')
    await page.getByText('This key no longer exists').waitFor()
    await expectAccessible(page, 'keys-not-found')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.waitForURL(url => url.search === '')
  })

  test('can be cancelled, which returns the focus to the button', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await openKeys(dashboard, space)
    await page.getByRole('link', { name: 'Revoke test' }).press('Enter')
    // An open dialog takes the focus, and then hears the key.
    await page.getByRole('dialog').locator(':focus').waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(page, 'Revoke')
    await expect.poll(() => space.owner.keys.list({ subdomain: space.subdomain })).toHaveLength(1)
  })
})

describe('rotating a key', () => {
  test('shows the new key, and says when the old key stops working', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { subdomain, owner } = space
    const old = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    const { page } = await openKeys(dashboard, space)
    await page.getByRole('link', { name: 'Rotate Build' }).click()
    await page.getByRole('radio', { name: 'In 7 days' }).check()
    await expectAccessible(page, 'keys-rotate')
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByText('The old key stops working in 7 days.').waitFor()
    const newKey = await textOf(page, 'Key')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Replaced, stops working in 7 days').waitFor()
    for (const secret of [old.secret, newKey])
      await expect
        .poll(async () => (await dashboard.service.rest(secret).get(`/spaces/${subdomain}/data`)).status)
        .toBe(200)
    await expect.poll(() => page.getByRole('link', { name: 'Rotate Build' }).count()).toBe(1)
    await expectAccessible(page, 'keys-replaced')
  })

  test('shows an error if the key has already been rotated', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { subdomain, owner } = space
    const { id } = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    const { page } = await openKeys(dashboard, space, `?rotate=${id}`)
    await page.getByRole('button', { name: 'Rotate key' }).waitFor()
    await owner.keys.rotate({ subdomain, key_id: id, overlap_seconds: 3600 })
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('alert').getByText('The key has expired or was rotated').waitFor()
    await expect.poll(() => owner.keys.list({ subdomain })).toHaveLength(2)
  })
})
