import { expect, test } from 'vitest'
import { requestHost } from '../../support/request-host.ts'
import { uniqueName } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { button } from '../support/locators.ts'
import { expectNotice } from '../support/notices.ts'
import { expectShown, staticDraft, upToDate } from '../support/page-preview.ts'

const dashboard = useDashboard()

const newSite = async (starter?: 'blog') => {
  const owner = await dashboard.service.signUp()
  const subdomain = uniqueName('look')
  const { url } = await owner.spaces.create({ subdomain, name: 'Salt', ...(starter && { starter }) })
  return { owner, subdomain, url }
}

test('the look of a site shows every change at once, and is saved for its visitors', async () => {
  const space = await newSite('blog')
  const { page, open } = await dashboard.as(space.owner)
  // A font can be chosen once the files of the space are known.
  const listed = page.waitForResponse(response => response.url().includes('files.list'))
  await open(`/spaces/${space.subdomain}/look`)
  await (await listed).finished()
  const style = () => staticDraft(page).locator('style').textContent()
  await expect.poll(style).toContain('--text: #241c21;')
  await page.getByRole('textbox', { name: 'Text, light' }).fill('#004488')
  await expect.poll(style).toContain('--text: #004488;')
  await page.getByRole('slider', { name: 'Rounded corners' }).press('End')
  await expect.poll(style).toContain('--corners: 40px;')
  await page.getByRole('radio', { name: /^Syne/ }).click()
  await expect.poll(style).toContain('--text-font: Helvetica Neue')
  await upToDate(page)
  await expectAccessible(page, 'look')
  await button(page, 'Save').click()
  await expectNotice(page, 'Saved as version 2')

  const { text } = await requestHost(dashboard.service, new URL(space.url).host, '/')
  expect(text).toContain('--text: #004488;')
  expect(text).toContain('--corners: 40px;')
  const { data: files } = await space.owner.files.list({ subdomain: space.subdomain })
  const font = files.find(({ name }) => name === 'syne.woff2')
  expect(text).toContain(`url("${font!.url}")`)
  expect(files.map(({ name }) => name)).toContain('syne-font-license.txt')
})

test('a look says which text is hard to read', async () => {
  const { page } = await dashboard.inSpace(await newSite('blog'), '/look')
  await page.getByRole('textbox', { name: 'Accent, dark' }).fill('#332820')
  await page.getByText('Accent on background, dark: a contrast of 1.3.').waitFor()
  await page.getByRole('textbox', { name: 'Accent, dark' }).fill('#f0a07c')
  await expect.poll(() => page.getByText('Some text is hard to read').count()).toBe(0)
})

test('a logo replaces the name of the site', async () => {
  const { page } = await dashboard.inSpace(await newSite('blog'), '/look')
  const name = staticDraft(page).getByRole('banner').getByRole('link').first()
  await expect.poll(() => name.textContent()).toBe('Salt')
  await button(page, 'Choose a picture').click()
  await page.getByRole('dialog').getByRole('button', { name: 'icon.svg' }).click()
  await expectShown(staticDraft(page).locator('img.logo'))
  await button(page, 'Remove').click()
  await expect.poll(() => name.textContent()).toBe('Salt')
})

test('a change of the look during the upload of a logo stays', async () => {
  const space = await newSite('blog')
  const { page } = await dashboard.inSpace(space, '/look')
  let release = () => {}
  const released = new Promise<void>(done => {
    release = done
  })
  await page.route('**/trpc/files.create*', async route => {
    await released
    await route.continue()
  })
  const uploading = page.waitForRequest('**/trpc/files.create*')
  await button(page, 'Choose a picture').click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('dialog').getByRole('button', { name: 'Upload a picture' }).click(),
  ])
  const mimeType = 'image/svg+xml'
  const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')
  await chooser.setFiles({ name: 'mine.svg', mimeType, buffer })
  await uploading
  const color = page.getByRole('textbox', { name: 'Text, light' })
  await color.fill('#004488')
  release()
  await page.getByText('mine.svg', { exact: true }).last().waitFor()
  await button(page, 'Change').waitFor()
  expect(await color.inputValue()).toBe('#004488')
})

test('a site without a look can get one', async () => {
  const space = await newSite()
  const { page } = await dashboard.inSpace(space, '/look')
  await page.getByRole('heading', { name: 'This site has no look yet' }).waitFor()
  await expectAccessible(page, 'no-look')
  await button(page, 'Create the look').click()
  await page.getByRole('textbox', { name: 'Background, light' }).waitFor()
  await page.getByText('No pages yet').waitFor()
  expect((await space.owner.data.get({ subdomain: space.subdomain, key: 'look' })).value).toHaveProperty(
    'colors',
  )
})
