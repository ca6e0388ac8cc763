import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { expectAccessible, returnToTab, root, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard()

const open = async (person: Parameters<typeof dashboard.as>[0], path = '/account') => {
  const window = await dashboard.as(person)
  await window.open(path)
  await window.page.getByRole('heading', { level: 1 }).waitFor()
  return window
}

describe('the profile', () => {
  test('can be edited and saved', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await open(person)
    const save = page.getByRole('button', { name: 'Save profile' })
    await save.waitFor()
    await expect.poll(() => save.isDisabled()).toBe(true)
    await page.getByLabel('Display name').fill('Robin Field')
    await page.getByLabel('About you').fill('I grow beans.\nAnd peas.')
    await page.getByText('Unsaved changes').waitFor()
    await save.click()
    await expectNotice(page, 'Profile saved.')
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    await expect
      .poll(() => person.me.get({}))
      .toMatchObject({
        display_name: 'Robin Field',
        bio: 'I grow beans.\nAnd peas.',
      })
    const link = page.getByRole('link', { name: 'Open your public profile' })
    await expect.poll(() => link.getAttribute('href')).toBe(`${root(dashboard.service)}/@${person.handle}`)
    await page.getByText('Published posts').waitFor()
    await page.getByText('0 of 10,000').waitFor()
    await expectAccessible(page, 'profile')
  })

  test('counts characters as the service does, and shows an error for a value that is too long', async () => {
    const { page } = await open(await dashboard.service.signUp())
    const name = page.getByLabel('Display name')
    await name.fill('🌱'.repeat(30))
    await page.getByText('0 of 30 characters left').waitFor()
    await name.fill(` ${'🌱'.repeat(28)} `)
    await page.getByText('2 of 30 characters left').waitFor()
    await name.fill('🌱'.repeat(31))
    await page.getByText('1 character too many').waitFor()
    await page.getByLabel('About you').fill('a\nb')
    await page.getByText('997 of 1000 characters left').waitFor()
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByText('Must be at most 30 characters long, but has 31.').waitFor()
    await expect.poll(() => name.inputValue()).toBe('🌱'.repeat(31))
    await expectAccessible(page, 'profile-invalid')
  })

  test('warns that a new handle frees the old one, and shows an error for a taken handle', async () => {
    const [person, other] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
    const { page } = await open(person)
    const handle = page.getByLabel('Handle')
    await handle.fill(person.handle.toUpperCase())
    await expect.poll(() => page.getByText('You will give up').count()).toBe(0)
    await handle.fill(other.handle)
    await page.getByText(`You will give up “${person.handle}”`).waitFor()
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByText('This handle is taken.').waitFor()
    await expectAccessible(page, 'profile-handle-taken')
    await page.setViewportSize({ width: 1280, height: 800 })
    const wanted = `new.${person.handle}`.slice(0, 15)
    await handle.fill(`@${wanted}`)
    await page.getByRole('button', { name: 'Save profile' }).click()
    await expectNotice(page, 'Profile saved.')
    await expect.poll(() => handle.inputValue()).toBe(wanted)
    await page.getByRole('button', { name: wanted }).waitFor()
    expect((await fetch(`${dashboard.service.root}/@${person.handle}`)).status).toBe(404)
  })

  test('asks for confirmation before unsaved changes are lost', async () => {
    const { page } = await open(await dashboard.service.signUp())
    await page.getByLabel('About you').fill('Not yet')
    await page.getByRole('link', { name: 'Posts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect.poll(() => page.getByLabel('About you').inputValue()).toBe('Not yet')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('link', { name: 'Posts' }).click()
    await page.waitForURL(url => url.pathname === '/admin/posts')
  })

  test('has a picture that can be added and removed', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await open(person)
    const buffer = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#c06' } })
      .png()
      .toBuffer()
    await page
      .getByLabel('Picture for the icon')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Save icon' }).click()
    await expectNotice(page, 'Icon saved.')
    const { icon_url } = await person.me.get({})
    expect(icon_url).toMatch(/\.png$/)
    await page.locator(`header img[src="${icon_url}"]`).waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove icon' }).click()
    await expectNotice(page, 'Icon removed.')
    await expect.poll(async () => (await person.me.get({})).icon_url).toBeNull()
  })

  test('takes what another window has changed, except for what is edited here', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await open(person)
    await page.getByLabel('About you').fill('I grow beans.')
    await person.me.update({ display_name: 'Robin Field', bio: 'Theirs' })
    const refetched = page.waitForResponse(/me\.get/)
    await returnToTab(page)
    await refetched
    await page.getByRole('button', { name: 'Save profile' }).click()
    await expectNotice(page, 'Profile saved.')
    expect(await person.me.get({})).toMatchObject({ display_name: 'Robin Field', bio: 'I grow beans.' })
    await expect.poll(() => page.getByLabel('Display name').inputValue()).toBe('Robin Field')
  })

  test('keeps the form while offline', async () => {
    const person = await dashboard.service.signUp()
    const { page, context } = await open(person)
    await page.getByLabel('Display name').fill('Robin')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.locator('form').getByRole('alert').getByText('You are offline').waitFor()
    await expectAccessible(page, 'profile-offline')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Save profile' }).click()
    await expectNotice(page, 'Profile saved.')
    await expect.poll(async () => (await person.me.get({})).display_name).toBe('Robin')
  })
})
