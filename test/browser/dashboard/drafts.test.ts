import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'
import { expectShown } from '../support/page-preview.ts'

const dashboard = useDashboard()

const open = async (person: Person, path = '/new-post') => {
  const window = await dashboard.as(person)
  await window.open(path)
  await editor(window.page).waitFor()
  return window
}

const editor = (page: Page) => page.locator('.cm-content')
const type = async (page: Page, text: string) => {
  await editor(page).click()
  await page.keyboard.insertText(text)
}
/** Returns the document in the preview. */
const preview = (page: Page) => page.frameLocator('iframe[title^="Preview of"]:not([aria-hidden])')

/** Returns a person's only post. */
const only = async (person: Person) => {
  const { posts } = await person.writing.list({})
  expect(posts).toHaveLength(1)
  return person.writing.get({ post_id: posts[0]!.id })
}

describe('a new post', () => {
  test('can be written in Markdown beside its preview, and stays open at its own address after Ctrl+S', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await open(person)
    await expectAccessible(page, 'post-new')
    await page.setViewportSize({ width: 1280, height: 800 })
    await type(page, '# Beans\n\nThey **grow**.')
    await expectShown(preview(page).frameLocator('iframe').getByRole('heading', { name: 'Beans' }))
    await page.getByText('Unsaved changes').waitFor()
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('All changes saved').waitFor()
    const post = await only(person)
    expect(post).toMatchObject({ published: false, markdown: '# Beans\n\nThey **grow**.' })
    await page.waitForURL(url => url.pathname === `/admin/posts/${post.id}`)
    // After the save, the focus is still in the text, and the next save updates the same draft.
    await page.keyboard.insertText(' Well.')
    await page.getByText('Unsaved changes').waitFor()
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    await expect.poll(async () => (await only(person)).markdown).toBe('# Beans\n\nThey **grow**. Well.')
    await expectAccessible(page, 'post-draft')
    await page.reload()
    await editor(page).getByText('They **grow**. Well.').waitFor()
  })

  test('written in HTML runs its scripts in the preview, and the preview has a separate origin', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await open(person, '/new-post?format=html')
    await type(
      page,
      '<h1>Hi</h1><script>document.title = "x"; document.querySelector("h1").textContent = origin</script>',
    )
    const heading = preview(page).getByRole('heading')
    await expectShown(heading.getByText('preview-'))
    await expect.poll(() => heading.textContent()).toMatch(/^http:\/\/preview-[2-9a-z]{16}\.pages\.localhost/)
    expect(await page.title()).toBe('New post · Space Site')
    await expectAccessible(page, 'post-html')
  })

  test('can share a link; fields that are too long are marked before and after saving', async () => {
    const person = await dashboard.service.signUp()
    const window = await dashboard.as(person)
    const { page } = window
    await window.open('/new-post?format=reblog')
    await page.getByRole('textbox', { name: 'Link' }).fill('beans.example')
    await page.getByLabel('Your comment').fill('x'.repeat(201))
    await page.getByText('1 character too many').waitFor()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Must be an http or https address.').waitFor()
    await page.getByText('Must be at most 200 characters long, but has 201.').waitFor()
    await expectAccessible(page, 'post-reblog-invalid')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('textbox', { name: 'Link' }).fill('https://beans.example/climbing')
    await page.getByLabel('Your comment').fill('Read this')
    const comment = preview(page).frameLocator('iframe').getByText('Read this')
    // Poll, because each draft gets a new frame, and a locator that waits in the old frame would fail.
    await expect.poll(() => comment.count().catch(() => 0)).toBe(1)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect
      .poll(() => only(person))
      .toMatchObject({
        format: 'reblog',
        url: 'https://beans.example/climbing',
        text: 'Read this',
      })
    await expectAccessible(page, 'post-reblog')
  })

  test('is saved with its tags in their normalized form', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await open(person)
    await type(page, 'x')
    await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('#peas,beans,')
    await page.getByRole('combobox', { name: 'Tags' }).fill('x'.repeat(51))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Must be 1 to 50 characters long').waitFor()
    await page.getByRole('combobox', { name: 'Tags' }).press('Backspace')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await only(person)).tags).toEqual(['beans', 'peas'])
  })

  test('gets separate tags from a comma-separated list', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await open(person)
    await type(page, 'x')
    await page.getByRole('combobox', { name: 'Tags' }).fill('#peas, beans')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await only(person)).tags).toEqual(['beans', 'peas'])
  })

  test('asks for confirmation before unsaved text is lost', async () => {
    const { page } = await open(await dashboard.service.signUp())
    await type(page, 'Not yet')
    await page.getByRole('link', { name: 'Profile' }).click()
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay' })
      .click()
    await editor(page).getByText('Not yet').waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/new-post')
  })

  test('keeps its text while the service cannot be reached', async () => {
    const person = await dashboard.service.signUp()
    const { page, context } = await open(person)
    await type(page, 'Written on a train')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('main').getByRole('alert').getByText('Nothing you typed is lost').first().waitFor()
    await expectAccessible(page, 'post-offline')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('All changes saved').waitFor()
    await expect.poll(async () => (await only(person)).markdown).toBe('Written on a train')
  })
})

describe('publishing', () => {
  test('needs a confirmation, and makes later saves public immediately', async () => {
    const person = await dashboard.service.signUp()
    const { page } = await open(person)
    await type(page, '# Beans')
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish this post?' })
    await dialog.waitFor()
    await expectAccessible(page, 'post-publish')
    await dialog.getByRole('button', { name: 'Publish post' }).click()
    await expectNotice(page, 'Post published. Everyone can read it now.')
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    const { id } = await only(person)
    const read = async () => (await fetch(`${dashboard.service.root}/posts/${id}`)).text()
    await expect.poll(() => read()).toContain('<h1>Beans</h1>')
    await page.setViewportSize({ width: 1280, height: 800 })
    await editor(page).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.insertText(' and peas')
    await page.getByRole('button', { name: 'Update post' }).click()
    await expectNotice(page, 'Post updated. Readers see it now.')
    await expect.poll(() => read()).toContain('<h1>Beans and peas</h1>')
    await expectAccessible(page, 'post-published')
  })

  test('fails for an invalid post and shows the error', async () => {
    const person = await dashboard.service.signUp()
    const window = await dashboard.as(person)
    await window.open('/new-post?format=reblog')
    await window.page.getByRole('textbox', { name: 'Link' }).fill('ftp://beans.example')
    await window.page.getByRole('button', { name: 'Publish' }).click()
    await window.page.getByRole('button', { name: 'Publish post' }).click()
    await window.page.getByText('Must be an http or https address.').waitFor()
    await window.page.getByRole('dialog').waitFor({ state: 'hidden' })
    await expect.poll(async () => (await person.writing.list({})).posts).toEqual([])
  })
})
