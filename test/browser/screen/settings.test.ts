import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { expectAccessible, focused, useScreen } from '../support/screen.ts'

const screen = useScreen()

/** A picture whose left half is red and whose right half is blue. */
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

const open = async (space: { owner: Parameters<typeof screen.as>[0]; subdomain: string }) => {
  const window = await screen.as(space.owner)
  await window.open(`/spaces/${space.subdomain}/settings`)
  await window.page.getByRole('heading', { name: 'Settings' }).waitFor()
  return window
}

/** The colour in the middle of the left and of the right edge of a space's icon. */
const edges = async ({ owner, subdomain }: { owner: Parameters<typeof screen.as>[0]; subdomain: string }) => {
  const { icon_url } = await owner.space.get({ subdomain })
  const response = await fetch(new URL(new URL(icon_url ?? '').pathname, screen.world.root))
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 256, height: 256 })
  const at = (x: number) => [...data.subarray((128 * 256 + x) * 3, (128 * 256 + x) * 3 + 3)]
  return { left: at(2), right: at(253) }
}

describe('the icon of a space', () => {
  test('is cropped from any picture with nothing but the keyboard', async () => {
    const space = await screen.world.space()
    const { page } = await open(space)
    await page.getByLabel('Picture for the icon').setInputFiles(await picture('jpeg'))
    const dialog = page.getByRole('dialog', { name: 'Choose what the icon shows' })
    const area = dialog.getByLabel('Picture', { exact: true })
    await area.waitFor()
    await expectAccessible(page, 'settings-icon-crop')
    await page.setViewportSize({ width: 1280, height: 800 })
    // From the middle, where the colours meet, to the left edge.
    await area.focus()
    for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowRight')
    await dialog.getByRole('slider', { name: 'Zoom' }).focus()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('button', { name: 'Save icon' }).press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('The icon has been changed.').waitFor()
    const { left, right } = await edges(space)
    expect(left[0]).toBeGreaterThan(240)
    expect(left[2]).toBeLessThan(15)
    // 400 pixels of 600 fit, of which the first 300 are red.
    expect(right[2]).toBeGreaterThan(240)
  })

  test('can be taken away, and the keyboard goes on beside it', async () => {
    const space = await screen.world.space()
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
    await page.getByText('The icon has been removed.').waitFor()
    expect((await space.owner.space.get({ subdomain: space.subdomain })).icon_url).toBeNull()
    await focused(page, 'Choose a picture')
  })

  test('says which file is no picture', async () => {
    const { page } = await open(await screen.world.space())
    await page
      .getByLabel('Picture for the icon')
      .setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
    await page.getByRole('alert').getByText('“notes.png” is no picture').waitFor()
    await expectAccessible(page, 'settings-icon-unreadable')
  })
})
