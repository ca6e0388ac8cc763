import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testPng } from '../../support/png.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { expectNotice, keepUndoOffered } from '../support/notices.ts'

const dashboard = useDashboard()

/** Creates a picture with a red left half and a blue right half. */
const picture = async (type: 'png' | 'jpeg' | 'webp' = 'png') => {
  const half = { width: 300, height: 400, channels: 3 as const }
  const left = await sharp({ create: { ...half, background: '#ff0000' } })
    .png()
    .toBuffer()
  const image = sharp({ create: { ...half, width: 600, background: '#0000ff' } })
    .composite([{ input: left, left: 0, top: 0 }])
    .toFormat(type)
  return { name: `picture.${type}`, mimeType: `image/${type}`, buffer: await image.toBuffer() }
}

const open = async (space: { owner: Parameters<typeof dashboard.as>[0]; subdomain: string }) => {
  const window = await dashboard.inSpace(space, '/settings')
  await window.page.getByRole('heading', { name: 'Settings' }).waitFor()
  return window
}

/** Returns the colors in the middle of the left and right edge of a space's icon. */
const edgeColors = async ({
  owner,
  subdomain,
}: {
  owner: Parameters<typeof dashboard.as>[0]
  subdomain: string
}) => {
  const { icon_url } = await owner.space.get({ subdomain })
  const response = await fetch(new URL(new URL(icon_url ?? '').pathname, dashboard.service.root))
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 256, height: 256 })
  const at = (x: number) => [...data.subarray((128 * 256 + x) * 3, (128 * 256 + x) * 3 + 3)]
  return { left: at(2), right: at(253) }
}

describe('the icon of a space', () => {
  test('can be cropped with the keyboard alone', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await open(space)
    await page.getByLabel('Picture for the icon').setInputFiles(await picture('jpeg'))
    const dialog = page.getByRole('dialog', { name: 'Crop picture' })
    const area = dialog.getByLabel('Picture', { exact: true })
    await area.waitFor()
    await expectAccessible(page, 'settings-icon-crop')
    await page.setViewportSize({ width: 1280, height: 800 })
    // Until the picture has loaded, it does not move, and the button below ignores keys.
    const save = dialog.getByRole('button', { name: 'Save icon' })
    await expect.poll(() => save.isEnabled()).toBe(true)
    // Move the crop area from the middle, where the two colors meet, to the left edge.
    await area.focus()
    for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowRight')
    await dialog.getByRole('slider', { name: 'Zoom' }).focus()
    await page.keyboard.press('ArrowRight')
    await save.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await expectNotice(page, 'Icon saved.')
    const { left, right } = await edgeColors(space)
    expect(left[0]).toBeGreaterThan(240)
    expect(left[2]).toBeLessThan(15)
    // The picture has 600 columns, of which the first 300 are red. The crop area shows the first 400, so the right
    // edge of the icon is blue.
    expect(right[2]).toBeGreaterThan(240)
  })

  test('can be removed, which moves the focus to the button next to it', async () => {
    const space = await dashboard.service.createSpace()
    const png = (
      await sharp((await picture()).buffer)
        .resize(256, 256)
        .png()
        .toBuffer()
    ).toString('base64')
    await space.owner.spaces.setIcon({ subdomain: space.subdomain, png })
    const { page } = await open(space)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove icon' }).click()
    await expectNotice(page, 'Icon removed')
    await expect
      .poll(async () => (await space.owner.space.get({ subdomain: space.subdomain })).icon_url)
      .toBeNull()
    await expectFocus(page, 'Choose picture')
  })

  test('comes back when its removal is undone', async () => {
    const space = await dashboard.service.createSpace()
    const { owner, subdomain } = space
    const png = await testPng({ width: 256, height: 256, background: '#123456' })
    await owner.spaces.setIcon({ subdomain, png })
    const before = await edgeColors(space)
    const { page } = await open(space)
    await keepUndoOffered(page)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove icon' }).click()
    await page.getByText('Icon removed').waitFor()
    expect((await owner.space.get({ subdomain })).icon_url).toBeNull()
    await expectAccessible(page, 'settings-icon-removed')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectNotice(page, 'Icon is back')
    await page.getByRole('button', { name: 'Change picture' }).waitFor()
    expect(await edgeColors(space)).toEqual(before)
  })

  test('shows an error for a file that is not a picture', async () => {
    const { page } = await open(await dashboard.service.createSpace())
    await page
      .getByLabel('Picture for the icon')
      .setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
    await page.getByRole('alert').getByText('“notes.png” is not a picture').waitFor()
    await expectAccessible(page, 'settings-icon-unreadable')
  })
})

describe('the name of a space', () => {
  test('is changed immediately everywhere in the dashboard', async () => {
    const space = await dashboard.service.createSpace()
    const { page } = await open(space)
    await expectAccessible(page, 'settings')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByLabel('Space name').fill('The Orchard')
    await page.getByRole('button', { name: 'Save name' }).click()
    await expectNotice(page, 'Name saved.')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'The Orchard', level: 1 }).waitFor()
    await expect
      .poll(async () => (await space.owner.space.get({ subdomain: space.subdomain })).name)
      .toBe('The Orchard')
  })

  test('asks for confirmation before unsaved changes are lost', async () => {
    const { page } = await open(await dashboard.service.createSpace())
    await page.getByLabel('Space name').fill('Half typed')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay' })
      .click()
    await expect.poll(() => page.getByLabel('Space name').inputValue()).toBe('Half typed')
  })

  test('shows an error at its field if it is empty', async () => {
    const { page } = await open(await dashboard.service.createSpace())
    await page.getByLabel('Space name').fill('   ')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByText('Must be 1 to 60 characters long.').waitFor()
    await expectFocus(page, '')
    await expectAccessible(page, 'settings-name-refused')
  })
})

describe('deleting a space', () => {
  test('shows the consequences, asks for the subdomain, and opens the list of spaces', async () => {
    const space = await dashboard.service.createSpace()
    const { subdomain, owner } = space
    await owner.pages.create({ subdomain, slug: 'home', html: 'x' })
    const { page, open: openPath } = await open(space)
    await page.getByRole('button', { name: 'Delete space' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This permanently deletes 1 page and 1 key.').waitFor()
    const button = dialog.getByRole('button', { name: 'Delete space' })
    await expect.poll(() => button.isDisabled()).toBe(true)
    await dialog.getByLabel('to confirm').fill(subdomain)
    await expectAccessible(page, 'settings-delete')
    await button.click()
    await page.getByRole('heading', { name: 'Create your first space' }).waitFor()
    await expectNotice(page, `The ${subdomain} deleted.`)
    await expect.poll(() => owner.spaces.list()).toEqual([])
    await openPath(`/spaces/${subdomain}/settings`)
    await page.getByRole('heading', { name: 'No such space' }).waitFor()
  })
})
