import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { breakTable } from '../support/failures.ts'

const dashboard = useDashboard()

describe('the list of spaces', () => {
  test('is where one comes to after signing in, and begins with one thing to do', async () => {
    const person = await dashboard.world.person()
    const { page, open } = await dashboard.anonymous()
    await open('/')
    await page.getByLabel('Handle').fill(person.handle)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await expectAccessible(page, 'sign-in')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Make your first space' }).waitFor()
    await expectAccessible(page, 'spaces-empty')
  })

  test('leads to each space', async () => {
    const { owner, subdomain } = await dashboard.world.space()
    const { page, open } = await dashboard.as(owner)
    await open('/')
    await page.getByRole('link', { name: `The ${subdomain}` }).waitFor()
    await expectAccessible(page, 'spaces')
    await page.getByRole('link', { name: `The ${subdomain}` }).click()
    await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}`)
    expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page')
  })
})

describe('a new space', () => {
  test('gets a subdomain from its name, shows its address as it is typed, and leads to its overview', async () => {
    const person = await dashboard.world.person()
    const { page, open } = await dashboard.as(person)
    await open('/new-space')
    await page.getByLabel('Name').fill('Café am Fluß')
    expect(await page.getByLabel('Subdomain').inputValue()).toBe('cafe-am-fluss')
    const { siteDomain } = dashboard.world.service.core.addresses
    await page.getByText(`http://cafe-am-fluss.${siteDomain}`).waitFor()
    await page.getByText('This address is free.').waitFor()
    await expectAccessible(page, 'new-space')
    await page.getByLabel('Subdomain').fill('my café')
    await page.getByText('An address has 3 to 30 lower-case letters').waitFor()
    await page.getByLabel('Subdomain').fill('my-cafe')
    await page.getByLabel('Name').fill('My café')
    expect(await page.getByLabel('Subdomain').inputValue()).toBe('my-cafe')
    await page.getByRole('button', { name: 'Make the space' }).click()
    await page.waitForURL(url => url.pathname === '/admin/spaces/my-cafe')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await expectAccessible(page, 'overview-empty')
    expect(await person.spaces.list()).toMatchObject([{ subdomain: 'my-cafe', name: 'My café' }])
  })

  test.each([
    ['is taken', 'taken-by-others', 'Another space has this address already. Choose another one.'],
    ['is reserved', 'admin', 'This address is kept for the service itself. Choose another one.'],
  ])('is told before and after sending that its address %s', async (_, subdomain, words) => {
    if (subdomain !== 'admin') await dashboard.world.space(subdomain)
    const { page, open } = await dashboard.as(await dashboard.world.person())
    await open('/new-space')
    await page.getByLabel('Name').fill('Mine')
    await page.getByLabel('Subdomain').fill(subdomain)
    await page.getByText(words).waitFor()
    await page.getByRole('button', { name: 'Make the space' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await page.locator('input:focus').waitFor()
    await expectAccessible(page, `new-space-${subdomain}`)
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine')
  })

  test('says at each field what is missing', async () => {
    const { page, open } = await dashboard.as(await dashboard.world.person())
    await open('/new-space')
    await page.getByRole('button', { name: 'Make the space' }).click()
    await page.getByText('Must be 1 to 60 characters long.').waitFor()
    expect(await page.locator('[aria-invalid=true]').count()).toBe(2)
  })
})

describe('the overview of a space', () => {
  test('shows how full it is and what was changed last, each with a link', async () => {
    const { owner, subdomain } = await dashboard.world.space()
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
    await page.getByText('262,144 of 1,048,576').waitFor()
    await page.getByText('1 of 100').waitFor()
    await expectAccessible(page, 'overview')
    expect(await page.getByRole('link', { name: 'Open the site' }).getAttribute('href')).toBe(
      (await owner.space.get({ subdomain })).url,
    )
    await page.getByRole('link', { name: 'opening-hours' }).click()
    await page.waitForURL(url => url.pathname === `/admin/spaces/${subdomain}/pages/${id}`)
  })

  test('ticks off the first steps, and hides them when asked', async () => {
    const { owner, subdomain } = await dashboard.world.space()
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}`)
    // The key is there, the page and the agent are not.
    await page.getByRole('listitem').filter({ hasText: 'Get a key' }).getByText('(done)').waitFor()
    expect(await page.getByText('(done)').count()).toBe(1)
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Room' }).waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  })

  test('says a fault, and comes back by itself when the network does', async () => {
    const { owner, subdomain } = await dashboard.world.space()
    const { page, open, context } = await dashboard.as(owner)
    const bringBack = await breakTable(dashboard.world, 'data_records')
    await open(`/spaces/${subdomain}`)
    await page.getByText(/Reference /).waitFor()
    await expectAccessible(page, 'overview-fault')
    await bringBack()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    await expectAccessible(page, 'overview-offline')
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Room' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('of somebody else is not there', async () => {
    const { subdomain } = await dashboard.world.space()
    const { page, open } = await dashboard.as(await dashboard.world.person())
    await open(`/spaces/${subdomain}`)
    await page.getByRole('heading', { name: 'No such space' }).waitFor()
    await expectAccessible(page, 'space-not-found')
  })
})
