import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()
let person: Person

beforeEach(async () => {
  person = await dashboard.service.signUp()
})

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true })

const open = async (path = '/new-post') => {
  const window = await dashboard.as(person, { isVisual: true })
  await window.open(path)
  await text(window.page).click()
  return window.page
}

/** Opens a draft that contains Markdown. */
const openDraft = async (markdown: string) => {
  const { id } = await person.writing.createDraft({ format: 'markdown', markdown })
  return { page: await open(`/posts/${id}`), id }
}

/** Saves, and returns the Markdown that is stored. */
const save = async (page: Page) => {
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('All changes saved').waitFor()
  const { posts } = await person.writing.list({})
  expect(posts).toHaveLength(1)
  return (await person.writing.get({ post_id: posts[0]!.id })).markdown
}

describe('the visual editor', () => {
  test('writes Markdown for what is typed', async () => {
    const page = await open()
    await expectAccessible(page, 'visual-new')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.type('# Beans')
    await page.keyboard.press('Enter')
    await page.keyboard.type('They ')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type('grow')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type(' *fast* for 2 * 3 weeks.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('- tall')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('very')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('green')
    await text(page).getByRole('heading', { level: 1, name: 'Beans' }).waitFor()
    await expectAccessible(page, 'visual-written')
    expect(await save(page)).toBe(
      '# Beans\n\nThey **grow** *fast* for 2 * 3 weeks.\n\n- tall\n  - very\n- green',
    )
  })

  test('offers blocks after a slash, by keyboard and by pointer', async () => {
    const page = await open()
    await page.keyboard.type('/')
    const menu = page.getByRole('listbox', { name: 'Blocks' })
    await menu.getByRole('option', { name: 'Text', selected: true }).waitFor()
    await expectAccessible(page, 'visual-slash')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.type('head')
    await page.keyboard.press('ArrowDown')
    await menu.getByRole('option', { name: 'Heading 2', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Spring')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/nothing like this')
    await menu.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await page.keyboard.type('/')
    await menu.waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await page.keyboard.type(' or')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/qu')
    await menu.getByRole('option', { name: /Quote/ }).click()
    await page.keyboard.type('Well said')
    expect(await save(page)).toBe('## Spring\n\n/nothing like this\n\n/ or\n\n> Well said')
  })

  test('keeps the Markdown of all blocks that were not edited', async () => {
    const written = [
      'Underlined\n===',
      '* one\n* __two__',
      'To be changed',
      '| a | b |\n|:--|--:|\n| 1 | 2 |',
      '[Spring]: https://beans.example "Spring"',
      'See [the garden][spring].  \nSoon.\n',
    ].join('\n\n')
    const { page } = await openDraft(written)
    await expectAccessible(page, 'visual-source')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByText('All changes saved').waitFor()
    await text(page).getByText('To be changed').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' now')
    expect(await save(page)).toBe(written.replace('To be changed', 'To be changed now'))
  })

  test('leaves the Markdown as it is after a change and its undo', async () => {
    const written = '* __one__\n* two\n\nLast'
    const { page, id } = await openDraft(written)
    await text(page).getByText('one').click()
    await page.keyboard.type('x')
    await page.getByText('Unsaved changes').waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await page.getByText('All changes saved').waitFor()
    expect((await person.writing.get({ post_id: id })).markdown).toBe(written)
  })

  test('adds, changes and removes links', async () => {
    const page = await open()
    await page.keyboard.type('See the garden')
    await page.keyboard.press('ControlOrMeta+Shift+ArrowLeft')
    await page.keyboard.press('ControlOrMeta+k')
    const dialog = page.getByRole('dialog', { name: 'Add a link' })
    await dialog.getByLabel('Address').fill('the garden')
    await dialog.getByRole('button', { name: 'Add link' }).click()
    await dialog.getByText('Enter the address of a website').waitFor()
    await expectAccessible(page, 'visual-link')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByLabel('Address').fill('beans.example/spring')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await text(page).getByRole('link', { name: 'garden' }).waitFor()
    expect(await save(page)).toBe('See the [garden](https://beans.example/spring)')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ControlOrMeta+k')
    const change = page.getByRole('dialog', { name: 'Change the link' })
    await expect.poll(() => change.getByLabel('Address').inputValue()).toBe('https://beans.example/spring')
    await change.getByRole('button', { name: 'Remove link' }).click()
    await page.getByText('Unsaved changes').waitFor()
    expect(await save(page)).toBe('See the garden')
  })

  test('keeps the formatting of pasted text, and reads pasted Markdown', async () => {
    const page = await open()
    const paste = (type: string, content: string) =>
      page.evaluate(`(() => {
        const data = new DataTransfer()
        data.setData('${type}', ${JSON.stringify(content)})
        document.querySelector('.ProseMirror').dispatchEvent(
          new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }))
      })()`)
    await paste(
      'text/html',
      `<b style="font-weight:normal"><h2 style="color:red">Beans</h2><p>They <span style="font-weight:700">grow</span> <a href="https://beans.example">fast</a>.</p><table><tr><td>a</td><td>b|c</td></tr><tr><td>1</td></tr></table></b>`,
    )
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.press('ControlOrMeta+Enter')
    await paste('text/plain', '1. one\n2. *two*')
    expect(await save(page)).toBe(
      '## Beans\n\nThey **grow** [fast](https://beans.example).\n\n| a | b\\|c |\n| --- | --- |\n| 1 |  |\n\n1. one\n2. *two*',
    )
  })

  test('is left with Escape and Tab, also from a list', async () => {
    const { page } = await openDraft('- one\n- two')
    await text(page).getByText('two').click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Insert picture' }).and(page.locator(':focus')).waitFor()
    await page.getByText('All changes saved').waitFor()
    expect(await text(page).and(page.locator(':focus')).count()).toBe(0)
  })

  test('can be shown beside the Markdown, and the choice is remembered', async () => {
    const { page } = await openDraft('First')
    await page.getByText('Both', { exact: true }).click()
    const source = page.getByRole('textbox', { name: 'Markdown', exact: true })
    await source.click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.insertText('\n\n## Second')
    await text(page).getByRole('heading', { level: 2, name: 'Second' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(' half')
    await source.getByText('## Second half').waitFor()
    await expectAccessible(page, 'visual-both')
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await save(page)).toBe('First\n\n## Second half')
    await page.reload()
    await source.waitFor()
    await text(page).waitFor()
    await page.getByText('Source', { exact: true }).click()
    await text(page).waitFor({ state: 'hidden' })
    await source.getByText('## Second half').waitFor()
  })

  test('does not take the place of the Markdown when it is chosen in another window', async () => {
    const { page, open, context } = await dashboard.as(person)
    await open('/new-post')
    const source = page.getByRole('textbox', { name: 'Markdown', exact: true })
    await source.click()
    await page.evaluate(
      "void (window.heard = new Promise(resolve => addEventListener('storage', () => setTimeout(resolve))))",
    )
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByText('Visual', { exact: true }).click()
    await text(other).waitFor()
    await page.evaluate('window.heard')
    await page.keyboard.type('still here')
    expect(await source.innerText()).toBe('still here')
  })

  test('formats with the buttons, which say what is on', async () => {
    const page = await open()
    await tool(page, 'Italic').click()
    await page.keyboard.type('slow')
    await tool(page, 'Italic').and(page.locator('[aria-pressed=true]')).waitFor()
    await tool(page, 'Italic').click()
    await page.keyboard.type(' food')
    await page.keyboard.press('Enter')
    await tool(page, 'Numbered list').click()
    await page.keyboard.type('cook')
    await page.getByLabel('Style of the block').selectOption('Heading 3')
    expect(await save(page)).toBe('*slow* food\n\n1. ### cook')
  })
})

test('several pictures are uploaded to a space that is asked for once, each with its description', async () => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  person = owner
  const page = await open()
  await page.keyboard.type('Look: ')
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await page
    .locator('input[type=file][accept="image/*"]')
    .setInputFiles(['one.png', 'two.png'].map(name => ({ name, mimeType: 'image/png', buffer: pixel })))
  await page.getByRole('button', { name: 'Upload picture' }).click()
  const dialog = page.getByRole('dialog', { name: 'Describe the picture' })
  await dialog.getByLabel('Description').fill('A bean [green]')
  await expectAccessible(page, 'visual-picture')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('Enter')
  await text(page).getByRole('img', { name: 'A bean [green]' }).waitFor()
  await expect.poll(() => dialog.getByLabel('Description').inputValue()).toBe('')
  await dialog.getByLabel('Description').fill('A pea')
  await page.keyboard.press('Enter')
  await text(page).getByRole('img', { name: 'A pea' }).click()
  await page.getByRole('button', { name: 'Describe picture' }).click()
  await dialog.getByLabel('Description').fill('Two peas')
  await dialog.getByRole('button', { name: 'Save description' }).click()
  await text(page).getByRole('img', { name: 'Two peas' }).waitFor()
  expect(await save(page)).toMatch(/^Look: !\[A bean \[green\]\]\(http:[^)]+\)!\[Two peas\]\(http:[^)]+\)$/)
  expect((await owner.files.list({ subdomain })).data.map(({ name }) => name).sort()).toEqual([
    'one.png',
    'two.png',
  ])
})
