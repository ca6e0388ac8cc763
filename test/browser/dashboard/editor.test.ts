import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.world)
})

const edit = async (html = 'x') => {
  const made = await site.page('home', html)
  const window = await dashboard.as(site.space.owner)
  await window.open(`/spaces/${site.space.subdomain}/pages/${made.id}`)
  await text(window.page).click()
  return window
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the page' })

/** Empties the editor and types, key by key. */
const type = async (page: Page, keys: string) => {
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.type(keys)
}

const proposed = async (page: Page, label: string) => {
  const option = page.getByRole('option', { name: label, exact: false }).first()
  await option.waitFor()
  return option
}

describe('the editor proposes', () => {
  test('variables with the fields that they really have', async () => {
    await site.data('events', [{ title: 'Harvest', place: { town: 'Ulm' } }])
    const { page } = await edit()
    await type(page, '{{ data.')
    expect(await (await proposed(page, 'events')).innerText()).toContain('list')
    await type(page, '{% for event in data.events %}{{ event.place.')
    expect(await (await proposed(page, 'town')).innerText()).toContain('text')
    // The view is at rest once the preview has said what it thinks of half an output.
    await page.getByText('There is a mistake in the template').waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    await expectAccessible(page, 'editor-proposals')
  })

  test('a key that no dot can lead to in brackets', async () => {
    await site.data('weekly-todo', ['rake'])
    const { page } = await edit()
    await type(page, '{{ data.week')
    await (await proposed(page, 'weekly-todo')).click()
    expect(await text(page).innerText()).toContain('{{ data["weekly-todo"]')
  })

  test.each([
    ['parts where one is taken in', "{% render 'na", 'nav'],
    ['filters', '{{ space.name | upca', 'upcase'],
    ['the end of what is open', '{% if true %}{% endi', 'endif'],
    ['files by their names where an address stands', '<img src="app', 'apples.png'],
  ])('%s', async (_, keys, label) => {
    await site.part('nav', 'x')
    await site.file('apples.png', 'bytes')
    const { page } = await edit()
    await type(page, keys)
    expect(await (await proposed(page, label)).isVisible()).toBe(true)
  })
})

describe('by keyboard', () => {
  test('Tab indents, and after Escape it leads out', async () => {
    const { page } = await edit()
    await page.keyboard.press('Home')
    await page.keyboard.press('Tab')
    expect(await text(page).innerText()).toMatch(/^ {2}x/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await text(page).evaluate('document.activeElement.closest(".cm-editor")')).toBeNull()
  })

  test('what closes tags and outputs is typed over where it is there already', async () => {
    const { page } = await edit()
    await type(page, '{% assign x = 1 %}{{ x }}')
    expect(await text(page).innerText()).toBe('{% assign x = 1 %}{{ x }}')
  })

  test('the text is searched', async () => {
    const { page } = await edit('one\ntwo\none')
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).click()
    await page.keyboard.type('one')
    await page.locator('.cm-searchMatch').first().waitFor()
    expect(await page.locator('.cm-searchMatch').count()).toBe(2)
    await expectAccessible(page, 'editor-search')
  })

  test('Ctrl+S saves from anywhere in the view', async () => {
    const { page } = await edit()
    await type(page, 'changed')
    await page.getByLabel('Slug').press('Control+s')
    await page.getByText('All changes saved').waitFor()
    expect((await site.open('/home')).text).toContain('changed')
  })
})

test('what was undone is still known after a look at the preview on a narrow window', async () => {
  const { page } = await edit('first')
  await type(page, 'second')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByText('Preview', { exact: true }).click()
  await page.getByText('Editor', { exact: true }).click()
  await text(page).click()
  for (let count = 0; count < 9 && !(await text(page).innerText()).includes('first'); count++)
    await page.keyboard.press('Control+z')
  expect(await text(page).innerText()).toContain('first')
})

test('a text as long as may be is written in without a hitch', async () => {
  const { page } = await edit(`${'<p>{{ space.name }}</p>\n'.repeat(10_000)}end`)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' of a long text')
  await page.getByText('Unsaved changes').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('All changes saved').waitFor()
  const { data } = (await site.space.api.get<{ data: { id: string }[] }>('/pages')).body
  const { html } = (await site.space.api.get<{ html: string }>(`/pages/${data[0]?.id}`)).body
  expect(html.endsWith('end of a long text')).toBe(true)
})
