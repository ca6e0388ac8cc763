import { expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { root, useDashboard } from './support/dashboard.ts'

const dashboard = useDashboard()

const open = async (path: string, appearance: Parameters<typeof dashboard.anonymous>[0] = {}) => {
  const { page } = await dashboard.anonymous(appearance)
  await page.goto(root(dashboard.service) + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test.each([
  ['/docs', 360, 'light'],
  ['/docs', 1280, 'dark'],
  ['/docs/space', 360, 'dark'],
  ['/docs/client', 1280, 'light'],
] as const)(
  '%s is accessible with a width of %d px and %s colors, also while searching and trying',
  async (...view) => {
    const [path, width, scheme] = view
    const page = await open(path, { width, scheme })
    if (path === '/docs/space') await page.getByText('Try it').first().click()
    await page.getByRole('combobox', { name: 'Search the reference' }).fill('slug')
    await page.getByRole('option').first().waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  },
)

test('the search finds operations, fields, errors and sections by keyboard, without the network', async () => {
  const page = await open('/docs')
  await page.context().setOffline(true)
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Search the reference' })
  for (const [text, first] of [
    ['create a page', /^Create a page Space API/],
    ['updatePart', /^updatePart Change a part/],
    ['used_by', /^used_by/],
    ['idempotency_key_reused', /^idempotency_key_reused/],
    ['safe retries', /^Safe retries/],
    ['money_with_cur', /^money_with_currency Filters/],
    ['/comments/{comment_id} patch', /^Change a comment|^Replace a comment/],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toMatch(first)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('listbox').isVisible()).toBe(false)
  }
  await box.fill('nothing has these words')
  await page.getByText('Nothing found').waitFor()
  await box.fill('safe retries')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toMatch(/#safe-retries$/)
})

test('the chosen language is shown everywhere, is remembered, and is what is copied', async () => {
  const page = await open('/docs/space')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const section = page.getByRole('region', { name: 'Create a page' })
  const code = section.locator('.samples pre:visible')
  expect(await code.textContent()).toMatch(/^curl /)
  await section.getByRole('button', { name: 'Python' }).click()
  expect(await page.locator('.samples pre:visible').allTextContents()).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/^(?!import )/)]),
  )
  await page.goto(`${root(dashboard.service)}/docs`)
  const example = page.getByRole('region', { name: 'Getting started' }).locator('figure').first()
  await expect.poll(() => example.locator('pre:visible').textContent()).toMatch(/^import json, os/)
  // The button says for two seconds only that the text is copied.
  await page.evaluate('void (window.setTimeout = () => 0)')
  await example.getByRole('button', { name: 'Copy' }).click()
  await example.getByRole('button', { name: 'Copied' }).waitFor()
  const copied: unknown = await page.evaluate('navigator.clipboard.readText()')
  expect(copied).toBe(await example.locator('pre:visible').textContent())
})

test('a call can be tried with a key, which nothing keeps, and which no address can prepare', async () => {
  const space = await dashboard.service.createSpace()
  const page = await open('/docs/space?subdomain=evil&key=x&page_id=x#createPage')
  const sent: string[] = []
  page.on('request', request => sent.push(`${request.method()} ${request.url()}`))
  const section = page.getByRole('region', { name: 'Create a page' })
  await section.getByText('Try it').click()
  expect(await section.getByLabel('subdomain').inputValue()).toBe('')
  expect(await section.getByLabel('Your key').inputValue()).toBe('')
  await section.getByRole('button', { name: 'Send' }).click()
  // The browser asks for what is missing.
  expect(sent).toEqual([])

  await section.getByLabel('Your key').fill(await space.key('pages'))
  await section.getByLabel('subdomain').fill(space.subdomain)
  await section.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => section.locator('.try pre').textContent()).toMatch(/^201\nETag: "/)
  expect((await space.api.get('/pages')).body.data).toMatchObject([{ slug: 'about-us' }])

  const list = page.getByRole('region', { name: 'List the pages' })
  await list.getByText('Try it').click()
  await list.getByLabel('subdomain').fill('../../me')
  await list.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => list.locator('.try pre').textContent()).toMatch(/^403.*space_mismatch/s)

  expect(
    await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
  ).not.toContain('ss_sk_')
  await page.reload()
  await section.getByText('Try it').click()
  expect(await section.getByLabel('Your key').inputValue()).toBe('')
})

test('without scripts, the reference shows curl, and nothing that does not work', async () => {
  const { context } = await dashboard.anonymous()
  const page = await context.browser()!.newPage({ javaScriptEnabled: false })
  await page.goto(`${root(dashboard.service)}/docs/space`)
  const section = page.getByRole('region', { name: 'Create a page' })
  expect(await section.locator('.samples pre:visible').allTextContents()).toEqual([
    expect.stringMatching(/^curl /),
  ])
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByRole('combobox').isVisible()).toBe(false)
  await page.close()
})

test('a link to a section leads there at once, and code is not cut on a phone', async () => {
  const page = await open('/docs/space#deleteFile', { width: 360 })
  const style = await page.evaluate('getComputedStyle(document.documentElement).scrollBehavior')
  expect(style).toBe('auto')
  const cut = await page.evaluate(
    '[...document.querySelectorAll("pre")].filter(one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight).length',
  )
  expect(cut).toBe(0)
})
