import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { breakTable } from '../support/failures.ts'

const dashboard = useDashboard()

describe('the list of spaces', () => {
  test('opens after sign-in, and offers to create the first space', async () => {
    const person = await dashboard.service.signUp()
    const { page, open } = await dashboard.anonymous()
    await open('/')
    await page.getByLabel('Handle').fill(person.handle)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await expectAccessible(page, 'sign-in')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Create your first space' }).waitFor()
    await expectAccessible(page, 'spaces-empty')
  })

  test('links to each space', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open('/')
    const link = page.getByRole('link', { name: `The ${subdomain}` })
    await link.click()
    await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}`)
    await expect
      .poll(() => page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current'))
      .toBe('page')
    await page.goBack()
    await link.waitFor()
    await expectAccessible(page, 'spaces')
  })
})

describe('a new space', () => {
  test('gets a suggested subdomain from its name, shows its address, and is opened after its creation', async () => {
    const person = await dashboard.service.signUp()
    const { page, open } = await dashboard.as(person)
    await open('/')
    await page.getByRole('main').getByRole('link', { name: 'New space' }).click()
    // Wait until the first field has the focus.
    await page.locator('[data-autofocus]:focus').waitFor()
    await page.keyboard.insertText('Café am Fluß')
    await expect.poll(() => page.getByLabel('Subdomain').inputValue()).toBe('cafe-am-fluss')
    const { siteDomain } = dashboard.service.core.addresses
    await page.getByText(`http://cafe-am-fluss.${siteDomain}`).waitFor()
    await page.getByText('This address is available.').waitFor()
    await expectAccessible(page, 'new-space')
    await page.getByLabel('Subdomain').fill('my café')
    await page.getByText('Use 3 to 30 lowercase letters').waitFor()
    await page.getByLabel('Subdomain').fill('my-cafe')
    await page.getByLabel('Name').fill('My café')
    await expect.poll(() => page.getByLabel('Subdomain').inputValue()).toBe('my-cafe')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.waitForURL(url => url.pathname.startsWith('/admin/spaces/my-cafe/pages/'))
    await open('/spaces/my-cafe')
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await expectAccessible(page, 'overview-empty')
    await expect.poll(() => person.spaces.list()).toMatchObject([{ subdomain: 'my-cafe', name: 'My café' }])
  })

  test.each([
    ['is taken', 'taken-by-others', 'This address is taken. Choose another one.'],
    ['is reserved', 'admin', 'This address is reserved. Choose another one.'],
  ])('shows, before and after submitting, that its address %s', async (_, subdomain, message) => {
    if (subdomain !== 'admin') await dashboard.service.createSpace(subdomain)
    const { page, open } = await dashboard.as(await dashboard.service.signUp())
    await open('/new-space')
    await page.getByLabel('Name').fill('Mine')
    await page.getByLabel('Subdomain').fill(subdomain)
    await page.getByText(message).waitFor()
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await page.locator('input:focus').waitFor()
    await expectAccessible(page, `new-space-${subdomain}`)
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Mine')
  })

  test('shows validation errors at each field', async () => {
    const { page, open } = await dashboard.as(await dashboard.service.signUp())
    await open('/new-space')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByText('Must be 1 to 60 characters long.').waitFor()
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(2)
    await page.getByLabel('Name').fill('Garden')
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(0)
    // A name that is too long stays as it was typed.
    await page.getByLabel('Name').fill('x'.repeat(61))
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByText('Must be 1 to 60 characters long, but has 61.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toHaveLength(61)
  })
})

describe('the overview of a space', () => {
  test('shows usage and recent changes, with links', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { id } = await owner.pages.create({ subdomain, slug: 'opening-hours', html: 'x' })
    await owner.parts.create({ subdomain, name: 'header', html: 'x'.repeat(262_144) })
    await owner.data.put({ subdomain, key: 'plants', value: 'x'.repeat(60_000) })
    await owner.files.create({
      subdomain,
      name: 'a very long name of a file that nobody would have chosen but somebody did.txt',
      encoding: 'text',
      content: 'x',
    })
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}`)
    await page
      .getByText('Far from every limit. The fullest: parts, in characters, 262,144 of 1,048,576.')
      .waitFor()
    await page.getByRole('button', { name: 'All limits' }).click()
    await page.getByText('262,144 of 1,048,576', { exact: true }).waitFor()
    await page.getByText('1 of 100', { exact: true }).waitFor()
    for (const limit of ['1 of 5,000', '1 of 1,000', '1 of 10,000', '1 of 500'])
      await page.getByText(limit, { exact: true }).first().waitFor()
    await expectAccessible(page, 'overview')
    await expect
      .poll(() => page.getByRole('link', { name: 'Open site' }).getAttribute('href'))
      .toBe((await owner.space.get({ subdomain })).url)
    await page.getByRole('link', { name: 'opening-hours' }).click()
    await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}/pages/${id}`)
  })

  test('marks the completed steps in the section "Get started", and has a button that hides this section', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}`)
    // The space has a key, but no agent has used the key, and the space has no page. So only one step is done.
    await page.getByRole('listitem').filter({ hasText: 'Create a key' }).getByText('(done)').waitFor()
    await expect.poll(() => page.getByText('(done)').count()).toBe(1)
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('heading', { name: 'Get started' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'Get started' }).count()).toBe(0)
  })

  test('shows an internal error, and loads after reconnecting', async () => {
    const { owner, subdomain } = await dashboard.service.createSpace()
    const { page, open, context } = await dashboard.as(owner, { isLive: false })
    const restore = await breakTable(dashboard.service, 'data_records')
    await open(`/spaces/${subdomain}`)
    await page.getByText(/Reference /).waitFor()
    await expectAccessible(page, 'overview-error')
    // Go offline first, so that nothing loads the view before the button is clicked.
    await context.setOffline(true)
    await restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    await expectAccessible(page, 'overview-offline')
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('is not found by people who are not participants', async () => {
    const { subdomain } = await dashboard.service.createSpace()
    const { page, open } = await dashboard.as(await dashboard.service.signUp())
    await open(`/spaces/${subdomain}`)
    await page.getByRole('heading', { name: 'No such space' }).waitFor()
    await expectAccessible(page, 'space-not-found')
  })
})
