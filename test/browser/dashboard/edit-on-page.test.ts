import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice, keepUndoOffered } from '../support/notices.ts'
import { bar, code, draft, expectShown, field, outline, upToDate } from '../support/page-preview.ts'

const dashboard = useDashboard()
let site: TestSite

const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>'

/** A tag that finds a file by its name. */
const found = (name: string) => `{% assign x = files | where: "name", ${name} | first %}`

beforeEach(async () => {
  site = await newSite(dashboard.service)
})

const edit = async (html: string, { isLive = true } = {}) => {
  const { id } = await site.page('home', html, 'scripted')
  const { page } = await dashboard.inSpace(site.space, `/pages/${id}`, { isLive })
  await upToDate(page)
  // The preview can be complete before the browser has loaded the code editor.
  await code(page).waitFor()
  return page
}

const svg = (name: string) => ({ name, mimeType: 'image/svg+xml', buffer: Buffer.from(RED) })

const upload = async (name: string) => {
  const { owner, subdomain } = site.space
  return owner.files.create({ subdomain, name, content: RED, encoding: 'text' })
}

const recordNow = async (key: string) => {
  const { owner, subdomain } = site.space
  return (await owner.data.get({ subdomain, key })).value
}

test('a text beside other elements is edited in place, and the elements stay', async () => {
  await site.data('site', { role: 'Designer' })
  const page = await edit('<p>Hello &amp; <b>you</b>, dear {{ data.site.role }}</p>\n<h2>one <b>two</b></h2>')
  await draft(page)
    .getByText('Hello')
    .click({ position: { x: 3, y: 5 } })
  await expect
    .poll(() =>
      bar(page)
        .getByRole('button', { name: /^Edit [“d]/ })
        .count(),
    )
    .toBe(3)
  await bar(page).getByRole('button', { name: 'Edit “Hello &”' }).click()
  await field(page).fill('Good day &')
  await field(page).press('Enter')
  await expectShown(draft(page).getByText('Good day & you'))
  await expectAccessible(page, 'text-beside-elements')
  await page.setViewportSize({ width: 1280, height: 800 })
  // If there is only one text, the second click opens it.
  await draft(page)
    .getByText('one')
    .click({ position: { x: 3, y: 5 } })
  await page.getByTitle('Edit text').click({ position: { x: 3, y: 5 } })
  await field(page).fill('1')
  await field(page).press('Enter')
  await expectShown(draft(page).getByText('1 two'))
  expect(await code(page).innerText()).toBe(
    '<p>Good day &amp; <b>you</b>, dear {{ data.site.role }}</p>\n<h2>1 <b>two</b></h2>',
  )
})

test('what is typed over the preview stays while someone else changes what it shows', async () => {
  await site.data('site', { role: 'Designer' })
  await site.data('motto', 'Slow')
  const page = await edit('<h1>{{ data.site.role }}</h1><p>{{ data.motto }}</p>')
  await draft(page).getByText('Designer').click()
  await page.getByTitle('Edit text').click()
  await field(page).fill('Potter')
  // A window that has just opened takes what changed before it followed the space for known. So change the record until
  // the window hears of a change.
  let changes = 0
  await expect
    .poll(async () => {
      changes += 1
      await site.data('motto', `Fast ${changes}`)
      return draft(page)
        .getByText('Fast')
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        )
    })
    .toBe(true)
  expect(await field(page).inputValue()).toBe('Potter')
  await field(page).and(page.locator(':focus')).press('Enter')
  await expectShown(draft(page).getByText('Potter'))
  expect(await recordNow('site')).toEqual({ role: 'Potter' })
})

test('what is typed over the preview stays if no later version can be shown', async () => {
  await site.data('site', { role: 'Designer' })
  await site.data('motto', 'Slow')
  const page = await edit('<h1>{{ data.site.role }}</h1><p>{{ data.motto }}</p>')
  await draft(page).getByText('Designer').click()
  await page.getByTitle('Edit text').click()
  await field(page).fill('Potter')
  let isRequested = false
  await page.context().route(
    ({ hostname }) => hostname.startsWith('preview-'),
    () => {
      isRequested = true
    },
  )
  await page.route(/\/trpc\/[^?]*previews\.origin/, route => route.abort().catch(() => {}))
  let changes = 0
  await expect
    .poll(
      async () => {
        changes += 1
        await site.data('motto', `Fast ${changes}`)
        return isRequested
      },
      { interval: 1_000 },
    )
    .toBe(true)
  await page.getByText('The preview does not load').waitFor()
  expect(await field(page).inputValue()).toBe('Potter')
})

describe('a picture', () => {
  const pictures = (page: Page) => page.getByRole('dialog', { name: 'Choose a picture' })
  /** Selects a picture in the preview, and opens the choice of another one. */
  const select = async (page: Page, alt: string, line: number) => {
    await upToDate(page)
    await draft(page).getByAltText(alt).click()
    // The frame reports the click a moment later. Until then, the button still lies over the picture selected before.
    await bar(page).getByText(`line ${line}`).waitFor()
    await page.getByTitle('Replace picture').click()
    await pictures(page).waitFor()
  }
  test('is replaced by one of the space, whether the source or a record says which', async () => {
    const [old, other] = [await upload('old.svg'), await upload('new.svg')]
    await site.data('team', [{ name: 'Ann', picture: 'old.svg' }])
    const page = await edit(
      [
        `<img alt="literal" src="${old.url}" width="90" height="40">`,
        `${found("'old.svg'")}<img alt="named" src="{{ x.url }}" width="90" height="40">`,
        `{% for p in data.team %}${found('p.picture')}<img alt="{{ p.name }}" src="{{ x.url }}" width="90" height="40">{% endfor %}`,
        '<img alt="any" src="{{ files.last.url }}" width="90" height="40">',
      ].join('\n'),
    )
    const shows = (alt: string) => expectShown(draft(page).locator(`img[alt="${alt}"][src="${other.url}"]`))
    for (const [index, alt] of ['literal', 'named', 'Ann'].entries()) {
      await select(page, alt, index + 1)
      if (alt === 'literal') {
        await expectAccessible(page, 'choose-picture')
        await page.setViewportSize({ width: 1280, height: 800 })
      }
      await pictures(page).getByRole('button', { name: 'new.svg' }).click()
      await shows(alt)
    }
    const body = await code(page).innerText()
    expect(body).toContain(`<img alt="literal" src="${other.url}" width`)
    expect(body).toContain(found("'new.svg'"))
    expect(await recordNow('team')).toEqual([{ name: 'Ann', picture: 'new.svg' }])
    await draft(page).getByAltText('any').click()
    await bar(page).getByText('line 4').waitFor()
    expect(await bar(page).getByRole('button', { name: 'Replace picture' }).count()).toBe(0)
  })

  test('is replaced by a new one that is chosen, or dropped on it', async () => {
    const old = await upload('old.svg')
    const page = await edit(`${found('"old.svg"')}<img alt="it" src="{{ x.url }}" width="90" height="40">`)
    await draft(page).getByAltText('it').click()
    await bar(page).getByRole('button', { name: 'Replace picture' }).press('Enter')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      pictures(page).getByRole('button', { name: 'Upload a picture' }).click(),
    ])
    await chooser.setFiles(svg('chosen.svg'))
    await expect.poll(() => code(page).innerText()).toContain(found('"chosen.svg"'))
    // The selection is in the new draft only once that draft is shown.
    await expectShown(draft(page).locator(`img[alt="it"]:not([src="${old.url}"])`))
    await upToDate(page)
    await outline(page, 'selected').waitFor()
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File([${JSON.stringify(RED)}], 'dropped.svg', { type: 'image/svg+xml' }))
      return data
    })()`)
    await page.getByTitle('Replace picture').dispatchEvent('drop', { dataTransfer: dropped })
    await expect.poll(() => code(page).innerText()).toContain(found('"dropped.svg"'))
  })
})

test('a picture is not put into another item that someone inserts before a picture is chosen', async () => {
  const [old] = [await upload('old.svg'), await upload('new.svg')]
  const ANN = { name: 'Ann', picture: 'old.svg' }
  await site.data('team', [ANN])
  const page = await edit(
    `{% for p in data.team %}${found('p.picture')}<img alt="{{ p.name }}" src="{{ x.url }}" width="90" height="40">{% endfor %}`,
    { isLive: false },
  )
  await expectShown(draft(page).locator(`img[alt="Ann"][src="${old.url}"]`))
  await draft(page).getByAltText('Ann').click()
  // The selection reads the record too. After that, only the click on the button does.
  await bar(page).getByText('Item 1 of 1', { exact: true }).waitFor()
  const read = page.waitForResponse(/\/trpc\/data\.get/)
  await page.getByTitle('Replace picture').click()
  await read
  const BOB = { name: 'Bob', picture: 'bob.svg' }
  await site.data('team', [BOB, ANN])
  await page
    .getByRole('dialog', { name: 'Choose a picture' })
    .getByRole('button', { name: 'new.svg' })
    .click()
  await expectNotice(page, 'This picture has changed in the meantime')
  expect(await recordNow('team')).toEqual([BOB, ANN])
})

test('an item of a list is not removed if someone has inserted another one above it', async () => {
  await site.data('links', [{ name: 'One' }, { name: 'Two' }])
  const { id } = await site.page(
    'home',
    '{% for link in data.links %}<h3>{{ link.name }}</h3>{% endfor %}',
    'scripted',
  )
  const { page } = await dashboard.inSpace(site.space, `/pages/${id}`, { isLive: false })
  await upToDate(page)
  await code(page).waitFor()
  await draft(page).getByText('One').click()
  await bar(page).getByText('Item 1 of 2', { exact: true }).waitFor()
  const theirs = [{ name: 'New' }, { name: 'One' }, { name: 'Two' }]
  await site.data('links', theirs)
  await bar(page).getByRole('button', { name: 'Remove item', disabled: false }).press('Enter')
  await expectNotice(page, 'This list has changed in the meantime')
  expect(await recordNow('links')).toEqual(theirs)
})

test('the items of a list are moved, copied and removed, and the selection goes with them', async () => {
  const LINKS = [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]
  await site.data('site', { links: LINKS })
  const page = await edit('{% for link in data.site.links %}<h3>{{ link.name }}</h3>{% endfor %}')
  await keepUndoOffered(page)
  const shown = () => draft(page).locator('h3').allInnerTexts()
  const press = (name: string) => bar(page).getByRole('button', { name, disabled: false }).press('Enter')
  const listed = (place: string) => bar(page).getByText(place, { exact: true }).waitFor()
  await draft(page).getByText('One').click()
  await listed('Item 1 of 3')
  await expectAccessible(page, 'list-item')
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await bar(page).getByRole('button', { name: 'Move item up' }).isDisabled()).toBe(true)
  await press('Move item down')
  await listed('Item 2 of 3')
  await bar(page).getByRole('link', { name: 'data.site.links[1].name' }).waitFor()
  await expect.poll(shown).toEqual(['Two', 'One', 'Three'])
  await press('Add a copy of this item')
  await listed('Item 3 of 4')
  await expect.poll(shown).toEqual(['Two', 'One', 'One', 'Three'])
  await press('Remove item')
  await listed('Item 3 of 3')
  await expect.poll(shown).toEqual(['Two', 'One', 'Three'])
  await press('Remove item')
  await expect.poll(shown).toEqual(['Two', 'One'])
  expect(await recordNow('site')).toEqual({ links: [{ name: 'Two' }, { name: 'One' }] })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(shown).toEqual(['Two', 'One', 'Three'])
})

describe('a part', () => {
  const LAYOUT = '<header>Salt <i>& co</i></header>\n<main>{% block content %}{% endblock %}</main>'
  const partNow = async () => {
    const { owner, subdomain } = site.space
    const { data } = await owner.parts.list({ subdomain })
    return (await owner.parts.get({ subdomain, part_id: data[0]!.id })).html
  }

  test('opens beside the page with its name, and is edited and saved with it', async () => {
    await site.part('layout', LAYOUT)
    const page = await edit('{% layout "layout" %}{% block content %}<h1>Hello</h1>{% endblock %}')
    await draft(page)
      .getByText('Salt')
      .click({ position: { x: 3, y: 5 } })
    await bar(page).getByText('<header> in the part layout, line 1').waitFor()
    await page.getByRole('radio', { name: 'Part layout' }).waitFor({ state: 'attached' })
    await expectAccessible(page, 'part-beside')
    await page.setViewportSize({ width: 1280, height: 800 })
    const part = page.getByRole('textbox', { name: 'Body of the part layout' })
    await expect.poll(() => part.innerText()).toBe(LAYOUT)
    await bar(page).getByRole('button', { name: 'Edit text' }).click()
    await field(page).fill('Pepper')
    await field(page).press('Enter')
    await expectShown(draft(page).getByText('Pepper & co'))
    await page.getByText('Unsaved changes in the part layout').waitFor()
    expect(await partNow()).toBe(LAYOUT)
    await upToDate(page)
    // Elsewhere in the page, the code of the page is shown again.
    await draft(page).getByText('Hello').click()
    await code(page).getByText('Hello').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All changes saved').waitFor()
    expect(await partNow()).toBe(LAYOUT.replace('Salt', 'Pepper'))
  })

  test('keeps its unsaved changes as a draft of its own', async () => {
    await site.part('layout', LAYOUT)
    const page = await edit('{% layout "layout" %}{% block content %}<h1>Hello</h1>{% endblock %}')
    await draft(page)
      .getByText('Salt')
      .click({ position: { x: 3, y: 5 } })
    await bar(page).getByRole('button', { name: 'Edit code' }).click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText('<p>new</p>')
    await expectShown(draft(page).getByText('new'))
    await page.getByRole('link', { name: 'Open on its own' }).click()
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByText('Leave', { exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: 'layout' }).waitFor()
    await page.getByText('Restored your unsaved changes').waitFor()
    await expect.poll(() => code(page).innerText()).toContain('<p>new</p><header>')
    // A shortcut saves everything that is open.
    await page.keyboard.press('Control+s')
    await page.getByText('All changes saved').waitFor()
    expect(await partNow()).toContain('<p>new</p>')
  })
})
