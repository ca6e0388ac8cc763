import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Person } from '../support/test-service.ts'
import { PASSWORD, root, useDashboard } from './support/dashboard.ts'
import { expectReadable } from './support/readable.ts'

const dashboard = useDashboard({ signUp: 'open', operators: ['moderator'] })

/** Opens a window without scripts, signed in as a person. */
const withoutScripts = async (person: Person) => {
  const { context } = await dashboard.window({ javaScriptEnabled: false })
  await context.request.post(`${root(dashboard.service)}/trpc/sessions.create`, {
    data: { handle: person.handle, password: PASSWORD },
  })
  return context.newPage()
}

/**
 * Waits until the browser has gone to the fragment of the page's address. It does so in a frame after the page has loaded,
 * and takes the focus away. Text that is being filled in would be lost.
 */
const isAtFragment = async (element: Locator) => {
  await element.page().waitForLoadState()
  // An element counts as stable only after two frames.
  await element.scrollIntoViewIfNeeded()
}

test('three people write, like, comment, report and moderate in the browser', async () => {
  const [author, reader, moderator] = await Promise.all([
    dashboard.service.signUp(),
    dashboard.service.signUp(),
    dashboard.service.signUp('moderator'),
  ])
  const { id } = await author.posts.create({ format: 'markdown', markdown: '# Beans\n\nThey *grow*.' })
  const address = `${root(dashboard.service)}/posts/${id}`

  // A visitor signs in and comes back to the post.
  const { page } = await dashboard.anonymous()
  await page.goto(address)
  await expectReadable(page, 'post-signed-out')
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Handle').fill(reader.handle)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(address)

  // The reader likes the post and comments on it.
  await page.getByRole('button', { name: 'Like', pressed: false }).click()
  await page.getByRole('button', { name: 'Like', pressed: true }).waitFor()
  await page.getByText('1 like').waitFor()
  await isAtFragment(page.getByLabel('Your comment'))
  await page.getByLabel('Your comment').fill('Buy <b>my</b> beans!\nNow.')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  // The preview below the form has the same text, and goes away when the comment has been sent.
  await page.getByRole('article').getByText('Buy <b>my</b> beans!').waitFor()
  await expectReadable(page, 'post-signed-in')

  // The author reports the comment.
  const { page: authors } = await dashboard.as(author)
  await authors.goto(address)
  await authors.getByRole('link', { name: /^Report the comment/ }).click()
  await authors.getByText('Buy <b>my</b> beans!').waitFor()
  await authors.getByLabel('What is wrong with it?').fill('It sells things.')
  await expectReadable(authors, 'report-comment')
  await authors.getByRole('button', { name: 'Send report' }).click()
  await authors.getByRole('heading', { name: 'Report sent' }).waitFor()
  await expectReadable(authors, 'report-sent')

  // The moderator takes the comment down.
  const { page: moderators, open } = await dashboard.as(moderator)
  await open('/reports')
  await moderators.getByText('Buy <b>my</b> beans!').waitFor()
  await moderators.getByRole('button', { name: 'Take down comment' }).click()
  const dialog = moderators.getByRole('dialog', { name: 'Take down this comment?' })
  await dialog.getByLabel('Reason').fill('It only advertises.')
  await dialog.getByRole('button', { name: 'Take down comment' }).click()
  await moderators.getByRole('heading', { name: 'No open reports' }).waitFor()
  await authors.getByRole('link', { name: 'Back to the post' }).click()
  await authors.getByText('No comments yet.').waitFor()
})

test('the forms work without scripts and with the keyboard alone', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const page = await withoutScripts(reader)
  await page.goto(`${root(dashboard.service)}/posts/${id}`)
  await page.getByRole('button', { name: 'Like' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Like', pressed: true }).waitFor()
  await isAtFragment(page.getByLabel('Your comment'))
  await page.getByLabel('Your comment').focus()
  await page.keyboard.type('Mine')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const comment = page.getByRole('article').filter({ hasText: 'Mine' })
  await comment.waitFor()
  await isAtFragment(comment.locator('summary'))
  await comment.locator('summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('No comments yet.').waitFor()
  expect((await author.comments.list({ post_id: id })).data).toEqual([])
})

test('a refused comment keeps its text and says what is wrong', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  const { page } = await dashboard.as(reader)
  await page.goto(`${root(dashboard.service)}/posts/${id}`)
  await page.getByLabel('Your comment').fill('x'.repeat(501))
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('alert').getByText('but has 501').waitFor()
  expect(await page.getByLabel('Your comment').inputValue()).toBe('x'.repeat(501))
  await expectReadable(page, 'comment-refused')
  await page.getByLabel('Your comment').fill('short')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('article').filter({ hasText: 'short' }).waitFor()
})

test('without scripts, an author closes a post for comments, and readers see that it is closed', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
  await reader.comments.create({ post_id: id, body: 'early' })
  const address = `${root(dashboard.service)}/posts/${id}`
  const { page: readers } = await dashboard.as(reader)
  await readers.goto(address)
  await readers.getByLabel('Your comment').fill('late')

  const page = await withoutScripts(author)
  await page.goto(address)
  await page.getByRole('button', { name: 'Close for comments' }).click()
  await page.getByText('You have closed this post for comments.').waitFor()

  await readers.getByRole('button', { name: 'Comment', exact: true }).click()
  await readers.getByRole('alert').getByText('the author has closed this post').waitFor()
  await readers.getByText('late', { exact: true }).waitFor()
  await expectReadable(readers, 'comment-on-closed-post')
  const { page: authors } = await dashboard.as(author)
  await authors.goto(address)
  await expectReadable(authors, 'closed-post-of-author')

  await page.getByRole('button', { name: 'Open for comments' }).click()
  await page.getByLabel('Your comment').waitFor()
})
