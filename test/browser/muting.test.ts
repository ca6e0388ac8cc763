import { expect, test } from 'vitest'
import { expectAccessible, expectFocus, root, useDashboard } from './support/dashboard.ts'
import { expectNotice } from './support/notices.ts'
import { expectReadable } from './support/readable.ts'

const dashboard = useDashboard({ signUp: 'open' })

test('with scripts disabled, a reader mutes one person and blocks another; the dashboard can undo both', async () => {
  const [author, rude, reader] = await Promise.all([
    dashboard.service.signUp(),
    dashboard.service.signUp(),
    dashboard.service.signUp(),
  ])
  await author.me.update({ display_name: 'Robin Field', bio: 'I grow beans.' })
  await rude.me.update({ display_name: 'Rudy Loud' })
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'They *grow*.' })
  await rude.comments.create({ post_id: id, body: 'Nonsense' })
  const { page, open, context } = await dashboard.as(reader)
  await open('/people')
  await page.getByRole('heading', { name: 'You haven’t muted or blocked anyone' }).waitFor()
  await expectAccessible(page, 'muted-empty')

  const { context: plain } = await dashboard.window({ javaScriptEnabled: false })
  await plain.addCookies(await context.cookies())
  const reading = await plain.newPage()
  const site = root(dashboard.service)
  await reading.goto(`${site}/posts/${id}`)
  await reading.getByRole('link', { name: 'Mute or block Rudy Loud' }).click()
  await reading.getByRole('button', { name: 'Block', exact: true }).waitFor()
  await page.goto(reading.url())
  await expectReadable(page, 'mute-page')
  await reading.getByRole('button', { name: 'Block', exact: true }).click()
  await reading.getByText('Comments by people you blocked are hidden.').waitFor()
  await page.goto(reading.url())
  await expectReadable(page, 'mute-post')
  await reading.getByRole('link', { name: 'Mute or block Robin Field' }).focus()
  await reading.keyboard.press('Enter')
  await reading.getByRole('button', { name: 'Mute', exact: true }).focus()
  await reading.keyboard.press('Enter')
  await reading.waitForURL(`${site}/posts/${id}`)
  await page.goto(`${site}/@${author.handle}`)
  await page.getByText('You have muted Robin Field.').waitFor()
  await expectReadable(page, 'muted-profile')
  await page.goto(`${site}/@${rude.handle}/mute`)
  await expectReadable(page, 'blocked-mute-page')

  await open('/people')
  const rows = page.getByRole('list', { name: 'People you muted or blocked' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(2)
  await expectAccessible(page, 'muted-people')
  await page.getByRole('button', { name: `Unblock ${rude.handle}` }).click()
  await expectNotice(page, `@${rude.handle} is no longer blocked.`)
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: `Unmute ${author.handle}` }).click()
  await page.getByRole('heading', { name: 'You haven’t muted or blocked anyone' }).waitFor()
  await expectFocus(page, 'You haven’t muted or blocked anyone')
  expect((await reader.mutes.list({})).people).toEqual([])
})

test('a blocked reader sees the post, and that they cannot comment on it', async () => {
  const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
  const { id } = await author.posts.create({ format: 'markdown', markdown: 'They *grow*.' })
  await author.mutes.add({ handle: reader.handle, block: true })
  const { page } = await dashboard.as(reader)
  await page.goto(`${root(dashboard.service)}/posts/${id}`)
  await page.getByText('You can’t comment on this post.').waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  await expectReadable(page, 'blocked-post')
})
