import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let site: TestSite

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

const editPage = async (html: string, kind: 'scripted' | 'static' = 'scripted') => {
  const created = await site.page('home', html, kind)
  return dashboard.inSpace(site.space, `/pages/${created.id}`)
}

/** Opens the hints of the preview. */
const openHints = async (page: Page, count: string) => {
  const preview = page.getByRole('region', { name: 'Preview' })
  await page
    .getByRole('status')
    .filter({ hasText: `Up to date, ${count}` })
    .waitFor()
  await preview.locator('summary').click()
  return preview
}

/** Waits until the preview has a hint or an error, shows the suggested correction, and returns the preview. */
const openCorrection = async (page: Page) => {
  const preview = page.getByRole('region', { name: 'Preview' })
  const hints = preview.locator('summary')
  const error = preview.locator('[role=status]', { hasText: 'Did you mean' })
  await hints.or(error).waitFor()
  if (await hints.isVisible()) await hints.click()
  return preview
}

const correctionButton = (preview: Locator) => preview.getByRole('button', { name: 'Replace with' })

const texts = async (page: Page, list: string) => {
  const items = await page.getByRole('list', { name: list }).getByRole('listitem').allInnerTexts()
  return items.map(item => item.replace(/\s+/g, ' '))
}

/** Returns the text from the cursor to the end of its line. */
const textAtCursor = (page: Page) =>
  page.evaluate(`(() => {
    const { anchorNode, anchorOffset } = getSelection()
    const range = document.createRange()
    range.setStart(anchorNode, anchorOffset)
    range.setEndAfter(anchorNode.parentElement.closest('.cm-line').lastChild)
    return range.toString()
  })()`)

describe('the page editor', () => {
  test('shows hints in the text and beside the preview, not as errors', async () => {
    const { page } = await editPage(
      '<h1>Hi</h1>\n{{ space.name | upcse }}\n<a href="https://example.org/">away</a> {{ 1 | plus }}',
    )
    await openHints(page, '3 hints')
    await expect
      .poll(() => texts(page, 'Hints'))
      .toEqual([
        'Page, line 2, column 17 There is no filter “upcse”, so the value is not changed. Did you mean “upcase”? Replace with “upcase”',
        'Page, line 3, column 48 The filter “plus” takes 1 argument, but has 0. Missing arguments count as empty.',
        'Page, line 3 A link to another website opens inside the frame of this scripted page. Add target="_top" to it, or <base target="_top"> to the head.',
      ])
    await expect.poll(() => page.locator('.cm-lintRange-info').allInnerTexts()).toEqual(['upcse', 'plus'])
    await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(0)
    await page.getByRole('button', { name: 'Page, line 2, column 17' }).click()
    await expect.poll(() => textAtCursor(page)).toBe('upcse }}')
    await expectAccessible(page, 'editor-hints')
  })

  test('shows which markup is removed from a static page', async () => {
    const { page } = await editPage(
      '<h1 onclick="x()">Hi</h1>\n<form><input><input></form><svg></svg>',
      'static',
    )
    await openHints(page, '5 removed')
    await expect
      .poll(() => texts(page, 'Removed'))
      .toEqual([
        'Page, line 1 onclick of <h1> Static pages run no scripts. Choose the kind “scripted” for a page that needs them.',
        'Page, line 2 <form> Static pages have no forms. The text inside this element is kept.',
        'Page, line 2 <input>, 2 times Static pages have no forms. The text inside this element is kept.',
        'Page, line 2 <svg> SVG can contain scripts. Upload it as a file and show it with <img>.',
      ])
    await expectAccessible(page, 'editor-removed')
  })

  test('no longer shows hints after the text is corrected', async () => {
    const { page } = await editPage('{{ space.name | upcse }}')
    await openHints(page, '1 hint')
    await page.getByRole('button', { name: 'Page, line 1, column 17' }).click()
    for (let key = 0; key < 'upcse'.length; key += 1) await page.keyboard.press('Delete')
    await page.keyboard.insertText('upcase')
    await page.getByText('Up to date', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'Hints' }).count()).toBe(0)
    await expect.poll(() => page.locator('.cm-lintRange-info').count()).toBe(0)
  })

  test.each([
    ['a filter', '<b>upcse</b> {{ space.name | upcse }}', '<b>upcse</b> {{ space.name | upcase }}'],
    ['a variable', '{{ spaec.name }}', '{{ space.name }}'],
    ['a field', '{{ space.nme | append: "nme" }}', '{{ space.name | append: "nme" }}'],
    ['a record', '{{ data["evnts"] }}', '{{ data["events"] }}'],
    ['a part', "<p>rende</p>{% render 'rende' %}", "<p>rende</p>{% render 'rended' %}"],
    ['a tag', '{% asign nav = 1 %}', '{% assign nav = 1 %}'],
  ])(
    'replaces a misspelled name of %s on a click, and the replacement can be undone',
    async (_, written, corrected) => {
      await site.part('rended', '<nav></nav>')
      await site.space.api.put('/data/events', { value: [] })
      const { page } = await editPage(written)
      const text = () => page.locator('.cm-content').innerText()
      await correctionButton(await openCorrection(page)).click()
      await expect.poll(text).toBe(corrected)
      await page.getByText('Up to date', { exact: true }).waitFor()
      await page.keyboard.press('Control+z')
      await expect.poll(text).toBe(written)
    },
  )

  test.each([
    ['a hint', '{{ space.name | upcse }}', '{{ space.name | upcase }}'],
    ['an error', '{% asign nav = 1 %}', '{% assign nav = 1 %}'],
  ])('offers the correction of %s once the editor has loaded', async (_, written, corrected) => {
    const created = await site.page('home', written, 'scripted')
    const { page, open } = await dashboard.as(site.space.owner)
    const loading = Promise.withResolvers<void>()
    await page.route('**/CodeMirror-*.js', async route => {
      await loading.promise
      await route.continue()
    })
    await open(`/spaces/${site.space.subdomain}/pages/${created.id}`)
    const preview = await openCorrection(page)
    await preview.getByText('line 1, column').waitFor()
    expect(await preview.getByRole('button', { name: /^Replace with|line 1, column/ }).count()).toBe(0)
    loading.resolve()
    await correctionButton(preview).click()
    await expect.poll(() => page.locator('.cm-content').innerText()).toBe(corrected)
  })

  test('shows a tooltip at a misspelled name in the text, with a button that corrects the name', async () => {
    const { page } = await editPage('{{ space.name | upcse }}')
    const tooltip = page.locator('.cm-tooltip-lint')
    // The editor looks at the pointer only when it moves. The text can move away from it while the layout settles.
    await expect
      .poll(async () => {
        await page.mouse.move(0, 0)
        await page.locator('.cm-lintRange-info').hover()
        return tooltip.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        )
      })
      .toBe(true)
    await tooltip.getByRole('button', { name: 'Replace with “upcase”' }).click()
    await expect.poll(() => page.locator('.cm-content').innerText()).toBe('{{ space.name | upcase }}')
    await page.getByText('Up to date', { exact: true }).waitFor()
  })

  test('names the part or record in which a link or removed markup is written', async () => {
    await site.part('nav', 'a\n<a href="/abuot">About</a><form></form>')
    await site.data('menu', ['/nowhere'])
    await site.page('about', 'x')
    const { page } = await editPage(
      '{% include "nav" %}{% for to in data.menu %}<a href="{{ to }}">x</a>{% endfor %}',
      'static',
    )
    await openHints(page, '2 hints, 1 removed')
    await expect
      .poll(() => texts(page, 'Hints'))
      .toEqual([
        expect.stringMatching(/^Part nav, line 2 The link “\/abuot” leads nowhere/),
        expect.stringMatching(/^Record menu\[0\] The link “\/nowhere” leads nowhere/),
      ])
    await expect
      .poll(() => texts(page, 'Removed'))
      .toEqual([expect.stringMatching(/^Part nav, line 2 <form> Static pages have no forms/)])
  })

  test('names the part that a hint is about', async () => {
    await site.part('nav', '{{ 1 | frobnicate }}')
    const { page } = await editPage("{% render 'nav' %}")
    await openHints(page, '1 hint')
    await expect
      .poll(() => texts(page, 'Hints'))
      .toEqual(['Part nav, line 1, column 8 There is no filter “frobnicate”, so the value is not changed.'])
    await expect.poll(() => page.getByRole('button', { name: 'Part nav' }).count()).toBe(0)
    await expect.poll(() => page.locator('.cm-lintRange-info').count()).toBe(0)
  })
})

test('the part editor shows the hints for the part', async () => {
  const part = await site.part('nav', '<b>\n{{ 1 | frobnicate }}')
  const { page, open } = await dashboard.as(site.space.owner)
  await open(`/spaces/${site.space.subdomain}/parts/${part.id}`)
  await openHints(page, '1 hint')
  await page.getByRole('button', { name: 'Part nav, line 2, column 8' }).click()
  await expect.poll(() => textAtCursor(page)).toBe('frobnicate }}')
  await expect.poll(() => page.locator('.cm-lintRange-info').allInnerTexts()).toEqual(['frobnicate'])
  await expectAccessible(page, 'part-hints')
})
