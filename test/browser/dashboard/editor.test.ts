import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { violationsOf } from '../support/axe.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

const edit = async (html = 'x') => {
  const created = await site.page('home', html)
  const window = await dashboard.inSpace(site.space, `/pages/${created.id}`)
  await text(window.page).click()
  return window
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Page body' })

/** Clears the editor and types key by key. */
const type = async (page: Page, keys: string) => {
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.type(keys)
}

/** Opens an editor that knows the names of the space. While they load, it suggests nothing. */
const editWithNames = async () => {
  const window = await edit('{{ a }}')
  const { page } = window
  const list = page.locator('.cm-tooltip-autocomplete')
  await page.keyboard.press('Home')
  for (let column = 0; column < 3; column++) await page.keyboard.press('ArrowRight')
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+Space')
      return list.isVisible()
    })
    .toBe(true)
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  return window
}

const suggestion = async (page: Page, label: string) => {
  const option = page.getByRole('option', { name: label, exact: false }).first()
  await option.waitFor()
  return option
}

describe('the editor suggests', () => {
  test('variables and the members of their values', async () => {
    await site.data('events', [{ title: 'Harvest', place: { town: 'Ulm' } }])
    const { page } = await editWithNames()
    await type(page, '{{ data.')
    expect(await (await suggestion(page, 'events')).innerText()).toContain('list')
    await type(page, '{% for event in data.events %}{{ event.place.')
    expect(await (await suggestion(page, 'town')).innerText()).toContain('text')
    // Wait until the preview reports an error for the incomplete text, so that the view stops changing.
    await page.getByText('The template has an error').waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    await expectAccessible(page, 'editor-proposals')
  })

  test('more filters than fit in the list, which scrolls and stays accessible', async () => {
    const { page } = await editWithNames()
    await type(page, '{{ space.name | ')
    await suggestion(page, 'append')
    // The list that opened at the bar is replaced by the one for the space after it.
    const isScrollable =
      '(list => list.scrollHeight > list.clientHeight)(document.querySelector("[role=listbox]"))'
    await expect.poll(() => page.evaluate(isScrollable)).toBe(true)
    expect(await violationsOf(page)).toEqual([])
  })

  test('a key in brackets if it cannot follow a dot', async () => {
    await site.data('weekly-todo', ['rake'])
    const { page } = await editWithNames()
    await type(page, '{{ data.week')
    await (await suggestion(page, 'weekly-todo')).click()
    await expect.poll(() => text(page).innerText()).toContain('{{ data["weekly-todo"]')
  })

  test.each([
    ['parts in a tag that includes one', "{% render 'na", 'nav'],
    ['filters', '{{ space.name | upca', 'upcase'],
    ['the end tag of the open block', '{% if true %}{% endi', 'endif'],
    ['files by name in a URL attribute', '<img src="app', 'apples.png'],
  ])('%s', async (_, keys, label) => {
    await site.part('nav', 'x')
    await site.file('apples.png', 'bytes')
    const { page } = await editWithNames()
    await type(page, keys)
    expect(await (await suggestion(page, label)).isVisible()).toBe(true)
  })
})

describe('the keyboard in the editor', () => {
  test('Tab indents; after Escape, Tab moves the focus out of the editor', async () => {
    const { page } = await edit()
    await page.keyboard.press('Home')
    await page.keyboard.press('Tab')
    await expect.poll(() => text(page).innerText()).toMatch(/^ {2}x/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect.poll(() => text(page).evaluate('document.activeElement.closest(".cm-editor")')).toBeNull()
  })

  test('typing a closing delimiter skips the one that the editor has inserted', async () => {
    const { page } = await edit()
    await type(page, '{% assign x = 1 %}{{ x }}')
    await expect.poll(() => text(page).innerText()).toBe('{% assign x = 1 %}{{ x }}')
  })

  test.each([
    ['<p>x</p><p>y</p>', '<p>x</p><p>y</p>'],
    ['<ul>\n<li>a</li>\n</ul>\n<p>y</p>', '<ul>\n  <li>a</li>\n</ul>\n<p>y</p>'],
    ['<p>x <b>y</b></p>', '<p>x <b>y</b></p>'],
    ['<p>x</pre', '<p>x</pre>'],
  ])('typing %j types over the closing tags that the editor has inserted', async (keys, typed) => {
    const { page } = await edit()
    await type(page, keys)
    await expect.poll(() => text(page).innerText()).toBe(typed)
  })

  test('a closing tag that was there before is not typed over', async () => {
    const { page } = await edit('<p>x</p>')
    await page.keyboard.press('Control+Home')
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('</p><p>y')
    await expect.poll(() => text(page).innerText()).toBe('<p>x</p><p>y</p>')
  })

  test('Ctrl+F opens a search of the text', async () => {
    const { page } = await edit('one\ntwo\none')
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).click()
    await page.keyboard.type('one')
    await page.locator('.cm-searchMatch').first().waitFor()
    await expect.poll(() => page.locator('.cm-searchMatch').count()).toBe(2)
    await expectAccessible(page, 'editor-search')
  })

  test('Ctrl+S saves text that was typed just before it, even if the view has not rendered the text yet', async () => {
    const { page } = await edit()
    // Insert the text and press the keys in the same task. The view renders only after the task, so the editor has the
    // text, but the view does not show it yet.
    await page.evaluate(`(async () => {
      document.execCommand('insertText', false, 'quick')
      await Promise.resolve()
      const keys = { key: 's', code: 'KeyS', keyCode: 83, ctrlKey: true, bubbles: true, cancelable: true }
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', keys))
    })()`)
    await expect.poll(async () => (await site.open('/home')).text).toContain('quick')
  })

  test('Ctrl+S saves, even if the focus is outside the editor', async () => {
    const { page } = await edit()
    await type(page, 'changed')
    await page.getByLabel('Slug').press('Control+s')
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await site.open('/home')).text).toContain('changed')
  })
})

test('switching to the preview in a narrow window keeps the undo history', async () => {
  const { page } = await edit('first')
  await type(page, 'second')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByText('Preview', { exact: true }).click()
  await page.getByText('Editor', { exact: true }).click()
  await text(page).click()
  for (let count = 0; count < 9 && !(await text(page).innerText()).includes('first'); count++)
    await page.keyboard.press('Control+z')
  await expect.poll(() => text(page).innerText()).toContain('first')
})

test('a page of 240,000 characters can be edited', async () => {
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
