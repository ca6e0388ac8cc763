import type { Frame, Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { type Appearance, expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { keepUndoOffered } from '../support/notices.ts'
import {
  bar,
  code,
  draft,
  expectShown,
  field,
  outline,
  staticDraft,
  upToDate,
} from '../support/page-preview.ts'

const dashboard = useDashboard()
let site: TestSite

const SITE = { tagline: 'Slow & quiet', links: [{ name: 'Blog' }, { name: 'Shop' }] }
const LAYOUT =
  '<!doctype html><body>\n<header>Salt</header>\n<main>{% block content %}{% endblock %}</main></body>'
const HOME = `{% layout "layout" %}{% block content %}
<h1>Hello</h1>
<h2>{{ data.site.tagline }}</h2>
{% for link in data.site.links %}<h3>{{ link.name }}</h3>{% endfor %}
{% endblock %}`

beforeEach(async () => {
  site = await newSite(dashboard.service)
  await site.data('site', SITE)
  await site.part('layout', LAYOUT)
})

/** Opens a page's editor and waits until the preview shows the draft, and the code can be selected. */
const edit = async (html = HOME, kind: 'scripted' | 'static' = 'scripted', appearance?: Appearance) => {
  const created = await site.page('home', html, kind)
  const window = await dashboard.inSpace(site.space, `/pages/${created.id}`, appearance)
  await upToDate(window.page)
  // The preview can be complete before the browser has loaded the code editor.
  await code(window.page).waitFor()
  return window
}

/** Keeps the parts of selected elements from opening beside the page. */
const holdParts = (page: Page) => page.route(/\bparts\.get\b/, () => {})

/**
 * Waits until a name in the code shows its description. The names are known only once they have loaded, and the editor
 * looks at the pointer only when it moves.
 */
const expectDescribed = async (page: Page, name: Locator, description: string) => {
  const shown = page.locator('.cm-tooltip').getByText(description)
  await expect
    .poll(async () => {
      await page.mouse.move(0, 0)
      await name.hover()
      return shown.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      )
    })
    .toBe(true)
}

/** Returns the text that is selected in the editor. */
const selectedCode = async (page: Page) => {
  await code(page).focus()
  return page.evaluate<string>('getSelection().toString()')
}

describe.each(['scripted', 'static'] as const)('a click in the preview of a %s page', kind => {
  test('selects the source of the element, and outlines it', async () => {
    const { page } = await edit(HOME, kind)
    const shown = kind === 'static' ? staticDraft(page) : draft(page)
    await shown.getByText('Hello').hover()
    await outline(page, 'pointed').getByText('h1').waitFor()
    await shown.getByText('Hello').click()
    await bar(page).getByText('<h1> in this page, line 2').waitFor()
    // Both move while the layout settles.
    await expect
      .poll(async () => {
        const [box, drawn] = await Promise.all([
          shown.getByText('Hello').boundingBox(),
          outline(page, 'selected').boundingBox(),
        ])
        const sides = ['x', 'y', 'width', 'height'] as const
        return Math.max(...sides.map(side => Math.abs(drawn![side] - box![side])))
      })
      .toBeLessThan(0.5)
    // The editor selects the text some time after it gets the focus.
    await expect.poll(() => selectedCode(page)).toBe('<h1>')
  })
})

describe('a click in the preview', () => {
  test('leads to the record that a value comes from, and to its place there', async () => {
    const { page } = await edit()
    await draft(page).getByText('Shop').click()
    await bar(page).getByRole('link', { name: 'data.site.links[1].name' }).waitFor()
    await expectAccessible(page, 'selected-value')
    await page.setViewportSize({ width: 1280, height: 800 })
    await bar(page).getByRole('link', { name: 'data.site.links[1].name' }).click()
    await page.getByRole('heading', { level: 1, name: 'site' }).waitFor()
    await expect.poll(() => page.locator('.cm-activeLine').innerText()).toContain('"Shop"')
  })

  test('leads to the tag that prints a value from elsewhere', async () => {
    const { page } = await edit('<p>{{ page.slug | upcase }}</p>')
    await draft(page).getByText('HOME').click()
    await bar(page).getByRole('button', { name: '{{ page.slug | upcase }}' }).click()
    await expect.poll(() => page.evaluate('getSelection().toString()')).toBe('{{ page.slug | upcase }}')
  })

  test('leads to the part in which an element is written', async () => {
    const { page } = await edit()
    await draft(page).getByText('Salt').click()
    await bar(page).getByText('<header> in the part layout').waitFor()
    // Also once the part is open beside the page.
    await bar(page).getByRole('button', { name: 'Edit code' }).waitFor()
    await bar(page).getByRole('link', { name: 'Open layout' }).click()
    await page.getByRole('heading', { level: 1, name: 'layout' }).waitFor()
    await expect.poll(() => page.locator('.cm-activeLine').innerText()).toContain('<header>')
  })

  test('asks before it leaves unsaved changes, as every link does', async () => {
    const { page } = await edit()
    await code(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('<p>new</p>')
    // The text is after the block, so the draft shows only a hint. A click in the old frame can come too late.
    await page.getByRole('status').filter({ hasText: 'Up to date, 1 hint' }).waitFor()
    await draft(page).getByText('Salt').click()
    await bar(page).getByRole('link', { name: 'Open layout' }).click()
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByText('Leave', { exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: 'layout' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'home' }).waitFor()
    await expectShown(draft(page).getByText('Hello'))
    await expect.poll(() => code(page).innerText()).toContain('<p>new</p>')
  })

  test('says when a script has made the element', async () => {
    const { page } = await edit(
      '<p>x</p><script>document.body.append(Object.assign(document.createElement("h4"), { textContent: "made" }))</script>',
    )
    await draft(page).getByText('made').click()
    await bar(page).getByText('A script made this element').waitFor()
    expect(await bar(page).getByRole('button', { name: /^Edit/ }).count()).toBe(0)
  })

  test('selects on a touch screen, and the code is one tap further', async () => {
    const { page } = await edit(HOME, 'scripted', { width: 360, isTouch: true })
    await page.getByText('Preview', { exact: true }).tap()
    await draft(page).getByText('Hello').tap()
    await bar(page).getByText('<h1> in this page, line 2').waitFor()
    await expectAccessible(page, 'selected-on-a-phone')
    await page.setViewportSize({ width: 360, height: 740 })
    await bar(page).getByRole('button', { name: 'Edit code' }).tap()
    await expect.poll(() => selectedCode(page)).toBe('<h1>')
  })

  test('stays selected when the draft is shown again', async () => {
    const { page } = await edit()
    await draft(page).getByText('Hello').click()
    await bar(page).getByText('<h1> in this page, line 2').waitFor()
    const answered = page.waitForResponse(/previews\.page/)
    await page.getByRole('button', { name: 'Reload preview' }).click()
    await answered
    await upToDate(page)
    await bar(page).getByText('<h1> in this page, line 2').waitFor()
    // The outline is drawn where the new frame says that the element is.
    await expect.poll(() => outline(page, 'selected').getByText('h1').count()).toBe(1)
  })
})

test('without a pointer, the elements are selected one after the other', async () => {
  const { page } = await edit()
  await page.getByRole('button', { name: 'Select an element' }).press('Enter')
  // The part opens beside the page. Wait for it, because it would hide the code of the page that is selected below.
  await bar(page).getByText('<body> in the part layout, line 1').waitFor()
  const next = bar(page).getByRole('button', { name: 'Next element' })
  for (const name of ['<header>', '<main>', '<h1> in this page, line 2']) {
    await next.press('Enter')
    await bar(page).getByText(name).waitFor()
  }
  await outline(page, 'selected').getByText('h1').waitFor()
  await bar(page).getByRole('button', { name: 'Edit code' }).press('Enter')
  await expect.poll(() => page.evaluate('getSelection().toString()')).toBe('<h1>')
})

test('the cursor in the code outlines the element in the preview', async () => {
  const { page } = await edit()
  await code(page).getByText('Hello').click()
  await expect
    .poll(async () => {
      const [box, drawn] = await Promise.all([
        draft(page).getByText('Hello').boundingBox(),
        outline(page, 'cursor').boundingBox(),
      ])
      return Math.abs(drawn!.y - box!.y)
    })
    .toBeLessThan(0.5)
})

describe('a hostile draft', () => {
  /** Sends a message from a draft, then waits until the dashboard has handled it. */
  const send = async (page: Page, message: string) => {
    const frame = page.frames().find(candidate => candidate.url().includes('//preview-')) as Frame
    await frame.evaluate(`parent.postMessage(${message}, '*')`)
    // The dashboard handles messages in order, and this one shows.
    await frame.evaluate(
      `parent.postMessage({ preview: 'mark', on: 'point', mark: 0, rect: [1, 2, 3, 4] }, '*')`,
    )
    await outline(page, 'pointed').waitFor({ state: 'attached' })
  }

  test.each([
    ['a pick without a click', `{ preview: 'mark', on: 'pick', mark: 1, rect: [0, 0, 9, 9] }`],
    ['a mark that does not exist', `{ preview: 'mark', on: 'pick', mark: 99, rect: [0, 0, 9, 9] }`],
    ['text instead of a number', `{ preview: 'mark', on: 'pick', mark: '<h1>', rect: [0, 0, 9, 9] }`],
    [
      'a source of its own',
      `{ preview: 'mark', on: 'pick', mark: { body: 0, begin: 0, end: 9 }, text: 'x' }`,
    ],
  ])('selects nothing with %s', async (_, message) => {
    const { page } = await edit('<h1>one</h1><p>two</p>')
    await code(page).click()
    await page.keyboard.press('Control+End')
    await send(page, message)
    expect(await bar(page).count()).toBe(0)
    expect(await page.evaluate('getSelection().toString()')).toBe('')
  })

  test('cannot draw outside its frame', async () => {
    const { page } = await edit('<h1>one</h1>')
    await send(page, 'null')
    const frame = page.frames().find(candidate => candidate.url().includes('//preview-')) as Frame
    await frame.evaluate(
      `parent.postMessage({ preview: 'mark', on: 'point', mark: 0, rect: [-5000, -5000, 1e9, 1e9] }, '*')`,
    )
    await expect
      .poll(async () => (await outline(page, 'pointed').boundingBox())?.width)
      .toBeGreaterThan(100_000)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await code(page).click()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Page body')
  })
})

describe('the text of an element', () => {
  test('is edited in place, and its source changes like in the code', async () => {
    const { page } = await edit('<h1>Fish &amp; chips</h1>\n<p>more</p>')
    await draft(page).getByText('Fish').click()
    await bar(page).getByRole('button', { name: 'Edit text' }).waitFor()
    // A second click on the element opens its text, too.
    await outline(page, 'selected').waitFor()
    await page.getByTitle('Edit text').click()
    expect(await field(page).inputValue()).toBe('Fish & chips')
    await expectAccessible(page, 'text-in-place')
    await page.setViewportSize({ width: 1280, height: 800 })
    await field(page).fill('Fish & <peas>')
    await field(page).press('Enter')
    await expectShown(draft(page).getByText('Fish & <peas>'))
    expect(await code(page).innerText()).toBe('<h1>Fish &amp; &lt;peas></h1>\n<p>more</p>')
    await page.getByText('Unsaved changes').waitFor()
    await outline(page, 'selected').getByText('h1').waitFor()
    await code(page).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => code(page).innerText()).toBe('<h1>Fish &amp; chips</h1>\n<p>more</p>')
  })

  test('stays as it is after Escape, and the focus returns', async () => {
    const { page } = await edit('<h1>Salt</h1>')
    await draft(page).getByText('Salt').click()
    const button = bar(page).getByRole('button', { name: 'Edit text' })
    await button.press('Enter')
    await field(page).fill('Pepper')
    await field(page).press('Escape')
    await expectFocus(page, 'Edit text')
    expect(await code(page).innerText()).toBe('<h1>Salt</h1>')
  })

  test('is saved in the record that it comes from, which can be undone', async () => {
    const { page } = await edit()
    await keepUndoOffered(page)
    await draft(page).getByText('Shop').click()
    await bar(page).getByRole('button', { name: 'Edit text' }).click()
    await field(page).fill('Store "1"')
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await expectShown(draft(page).getByText('Store "1"'))
    const valueNow = async () => (await site.space.api.get<{ value: unknown }>('/data/site')).body.value
    expect(await valueNow()).toEqual({ ...SITE, links: [{ name: 'Blog' }, { name: 'Store "1"' }] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectShown(draft(page).getByText('Shop'))
    expect(await valueNow()).toEqual(SITE)
  })

  test('with several values is edited value by value', async () => {
    const { page } = await edit(
      '<p title="{{ data.site.links[0].name }}">{{ data.site.tagline }}, {{ page.slug }}</p>',
    )
    await draft(page).getByText('Slow & quiet, home').click()
    const names = bar(page).getByRole('button', { name: /^Edit data/ })
    await names.first().waitFor()
    await expectAccessible(page, 'selected-values')
    await page.setViewportSize({ width: 1280, height: 800 })
    await bar(page).getByRole('button', { name: 'Edit data.site.tagline' }).click()
    await field(page).fill('Loud')
    await field(page).press('Enter')
    await expectShown(draft(page).getByText('Loud, home'))
    await expect.poll(() => names.count()).toBe(2)
  })

  test('stays the one that is edited, because no other one can be opened meanwhile', async () => {
    const { page } = await edit('<p>{{ data.site.tagline }}, {{ data.site.links[0].name }}</p>')
    await draft(page).getByText('Slow & quiet, Blog').click()
    await bar(page).getByRole('button', { name: 'Edit data.site.tagline' }).click()
    await field(page).fill('Loud')
    // The click of a script does not wait until the button is enabled.
    await bar(page).getByRole('button', { name: 'Edit data.site.links[0].name' }).dispatchEvent('click')
    // By the answer to this later request, one that the button had sent would have been answered, too.
    await page.evaluate("fetch('/trpc/accounts.me').then(response => response.text())")
    await field(page).press('Enter')
    await expectShown(draft(page).getByText('Loud, Blog'))
    expect((await site.space.api.get<{ value: unknown }>('/data/site')).body.value).toEqual({
      ...SITE,
      tagline: 'Loud',
    })
  })

  test('is kept in the field if someone has changed the record meanwhile', async () => {
    const { page } = await edit()
    await draft(page).getByText('Slow & quiet').click()
    await bar(page).getByRole('button', { name: 'Edit text' }).click()
    await field(page).fill('Mine')
    await site.data('site', { ...SITE, tagline: 'Theirs' })
    await field(page).press('Enter')
    await page.getByText('This text has changed in the meantime').waitFor()
    expect(await field(page).inputValue()).toBe('Mine')
  })

  test.each([
    ['of a part', '{% include "layout" %}', 'Salt'],
    ['that a filter has changed', '<p>{{ data.site.tagline | upcase }}</p>', 'SLOW & QUIET'],
  ])('%s is edited where it is written', async (_, html, text) => {
    const { page } = await edit(html)
    // Once the part is open beside the page, its text can be edited.
    await holdParts(page)
    await draft(page).getByText(text).click()
    await bar(page).waitFor()
    expect(await bar(page).getByRole('button', { name: 'Edit text' }).count()).toBe(0)
  })
})

test('the field for a text is visible wherever the draft says that its element is', async () => {
  const { page } = await edit(`<h1 style="cursor: pointer">Salt</h1><script>
    HTMLElement.prototype.getBoundingClientRect = () => ({ left: -5000, top: 90000, width: 1, height: 1 })
  </script>`)
  await draft(page).getByText('Salt').click()
  await bar(page).getByRole('button', { name: 'Edit text' }).click()
  // Both move while the layout settles.
  await expect
    .poll(async () => {
      const [box, around] = await Promise.all([
        page.getByRole('form', { name: 'Edit the text of h1' }).boundingBox(),
        page.locator('iframe[title^="Preview of"]:not([aria-hidden])').boundingBox(),
      ])
      return {
        isRightOfEdge: box!.x >= around!.x - 1,
        isWide: box!.width > 200,
        isAboveEdge: box!.y + box!.height <= around!.y + around!.height + 1,
      }
    })
    .toEqual({ isRightOfEdge: true, isWide: true, isAboveEdge: true })
})

describe('a name in the code', () => {
  test('shows the value of a place in a record, and Ctrl+click opens it', async () => {
    const { page } = await edit()
    const name = code(page).getByText('tagline')
    await expectDescribed(page, name, '"Slow & quiet"')
    await name.click({ modifiers: ['Control'] })
    await page.getByRole('heading', { level: 1, name: 'site' }).waitFor()
    await expect.poll(() => page.locator('.cm-activeLine').innerText()).toContain('"Slow & quiet"')
  })

  test('opens a part without a pointer', async () => {
    const { page } = await edit()
    const name = code(page).getByText('"layout"')
    await expectDescribed(page, name, 'The part layout')
    await name.click()
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('heading', { level: 1, name: 'layout' }).waitFor()
    await expect.poll(() => code(page).innerText()).toContain('<header>Salt</header>')
  })
})
