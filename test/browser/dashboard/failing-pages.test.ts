import { expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'

const dashboard = useDashboard()

test('a participant reaches the editor of a broken page from the site and from the overview', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const broken = await owner.pages.create({
    subdomain,
    slug: 'programme',
    html: '<h1>Programme</h1>\n{% for talk in data.talks %}<p>{{ talk.title }}</p>',
  })
  const { page, open } = await dashboard.as(owner)
  await page.goto(broken.url)
  await page.getByRole('link', { name: 'Open in the editor' }).click()
  await page.getByRole('heading', { level: 1, name: 'programme' }).waitFor()
  await page.getByRole('region', { name: 'Preview' }).getByText('The template has an error').waitFor()

  await open(`/spaces/${subdomain}`)
  const errors = page.getByRole('region', { name: 'One page shows an error' })
  await errors.waitFor()
  await expectAccessible(page, 'overview-failing-pages')
  await errors.getByRole('link', { name: 'Open in the editor: programme' }).click()
  await page.getByRole('heading', { level: 1, name: 'programme' }).waitFor()
  await write(page, '<h1>Programme</h1>', 'Page body')
  await page.keyboard.press('Control+s')
  await page.getByText('All changes saved').waitFor()
})

test('a visitor who follows the link to the editor is asked to sign in first', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const { url } = await owner.pages.create({ subdomain, slug: 'wrong', html: '{% if %}' })
  const { page } = await dashboard.anonymous()
  await page.goto(url)
  await page.getByRole('link', { name: 'Open in the editor' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toContain(`/spaces/${subdomain}/pages/`)
})
