import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../support/test-service.ts'
import { expectAccessible, expectFocus, root, useDashboard } from '../support/dashboard.ts'
import { expectNotice } from '../support/notices.ts'

const dashboard = useDashboard({ operators: ['chief'] })
let chief: Person

beforeAll(async () => {
  chief = await dashboard.service.signUp('Chief')
})

describe('the reports', () => {
  test('are listed for operators, link to the post and can be dismissed', async () => {
    const [author, reader, other] = await Promise.all([
      dashboard.service.signUp(),
      dashboard.service.signUp(),
      dashboard.service.signUp(),
    ])
    const { page, open } = await dashboard.as(chief)
    await open('/reports')
    await page.getByRole('heading', { name: 'No open reports' }).waitFor()
    await expectAccessible(page, 'reports-empty')

    const { id } = await author.posts.create({ html: 'Buy <b>now</b>' })
    await reader.reports.create({ post_id: id, reason: 'It sells things.\nAnd <b>shouts</b>.' })
    await other.reports.create({ post_id: id, reason: 'Spam' })
    await page.reload()
    const first = page.getByRole('listitem').filter({ hasText: 'It sells things.' })
    await first.getByText('And <b>shouts</b>.').waitFor()
    await expectAccessible(page, 'reports')
    await expect
      .poll(() => first.getByRole('link', { name: 'Open post' }).getAttribute('href'))
      .toBe(`${root(dashboard.service)}/posts/${id}`)
    await first.getByRole('button', { name: 'Dismiss' }).click()
    await first.waitFor({ state: 'hidden' })
    await expectNotice(page, 'Report dismissed.')
    await expect.poll(() => chief.reports.list()).toMatchObject([{ reason: 'Spam' }])

    // Dismissing a report that no longer exists shows no error.
    await author.posts.delete({ post_id: id })
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('heading', { name: 'No open reports' }).waitFor()
  })

  test('let an operator take down the post; the focus then stays in the list', async () => {
    const [author, reader, other] = await Promise.all([
      dashboard.service.signUp(),
      dashboard.service.signUp(),
      dashboard.service.signUp(),
    ])
    const { id } = await author.posts.create({ html: 'Buy <b>now</b>' })
    const { id: fine } = await author.posts.create({ html: 'Good morning' })
    await reader.reports.create({ post_id: id, reason: 'It sells things.' })
    await other.reports.create({ post_id: id, reason: 'Spam' })
    await reader.reports.create({ post_id: fine, reason: 'Too early' })
    const { page, open } = await dashboard.as(chief)
    await open('/reports')
    const button = page
      .getByRole('listitem')
      .filter({ hasText: 'It sells things.' })
      .getByRole('button', { name: 'Take down post' })
    const dialog = page.getByRole('dialog', { name: 'Take down this post?' })
    await button.click()
    await dialog.getByText(`@${author.handle}`).waitFor()
    await expectAccessible(page, 'reports-take-down')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expectFocus(page, 'Take down post')
    await expect.poll(() => chief.reports.list()).toHaveLength(3)

    await button.click()
    await dialog.getByLabel('Reason').fill('It only advertises.')
    await dialog.getByRole('button', { name: 'Take down post' }).click()
    await expectNotice(page, 'Post taken down.')
    await dialog.waitFor({ state: 'hidden' })
    await expectFocus(page, 'Too early')
    await expect.poll(() => page.getByRole('article').count()).toBe(1)
    expect((await fetch(`${dashboard.service.root}/posts/${id}`)).status).toBe(404)
    expect((await author.notifications.list({})).notifications).toMatchObject([
      { kind: 'taken_down', reason: 'It only advertises.' },
    ])
    const { posts } = await author.writing.list({ show: 'all' })
    expect(posts.map(post => post.id)).toEqual([fine])
    await expectAccessible(page, 'reports-taken-down')
    await author.posts.delete({ post_id: fine })
  })

  test('show a message instead of taking down the post if the report was handled in the meantime', async () => {
    const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
    const { page, open } = await dashboard.as(chief)
    const ask = async (reason: string) => {
      const { id } = await author.posts.create({ html: reason })
      await reader.reports.create({ post_id: id, reason })
      await open('/reports')
      await page.getByRole('button', { name: 'Take down post' }).click()
      return id
    }
    const dialog = page.getByRole('dialog', { name: 'Take down this post?' })
    const confirm = async () => {
      await dialog.getByLabel('Reason').fill('It only advertises.')
      await dialog.getByRole('button', { name: 'Take down post' }).click()
    }

    await author.posts.delete({ post_id: await ask('Deleted') })
    await confirm()
    await expectNotice(page, 'The post had already been deleted.')
    await expectFocus(page, 'No open reports')

    const id = await ask('Dismissed')
    const [report] = await chief.reports.list()
    await chief.reports.dismiss({ report_id: report!.id })
    await confirm()
    await expectNotice(page, 'Another operator dismissed the report')
    await expectFocus(page, 'No open reports')
    expect((await fetch(`${dashboard.service.root}/posts/${id}`)).status).toBe(200)
  })

  test('keep a typed reason when another operator settles the report, or suspends the author', async () => {
    const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
    const { id } = await author.posts.create({ html: 'x' })
    await reader.reports.create({ post_id: id, reason: 'Spam' })
    const { page, open } = await dashboard.as(chief)
    await open('/reports')
    const comeBack = async () => {
      // The dashboard refetches only data that is older than five seconds.
      await page.evaluate('{ const now = Date.now; Date.now = () => now() + 5_100 }')
      await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
    }
    await page.getByRole('button', { name: 'Suspend author' }).click()
    const reason = page.getByRole('dialog').getByLabel('Reason')
    await reason.fill('It only advertises.')
    await chief.suspensions.add({ handle: author.handle, reason: 'Spam' })
    await comeBack()
    await page.getByText('Author is suspended').waitFor()
    expect(await reason.inputValue()).toBe('It only advertises.')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Take down post' }).click()
    await reason.fill('It shouts.')
    const [report] = await chief.reports.list()
    await chief.reports.dismiss({ report_id: report!.id })
    await comeBack()
    await page.getByText('No open reports').waitFor()
    expect(await reason.inputValue()).toBe('It shouts.')
  })

  test('keep the dialog open when taking down a post fails', async () => {
    const [author, reader] = await Promise.all([dashboard.service.signUp(), dashboard.service.signUp()])
    const { id } = await author.posts.create({ html: 'x' })
    await reader.reports.create({ post_id: id, reason: 'Spam' })
    const { context, page, open } = await dashboard.as(chief)
    await open('/reports')
    await page.getByRole('button', { name: 'Take down post' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take down this post?' })
    await dialog.getByLabel('Reason').fill('It only advertises.')
    await context.setOffline(true)
    await dialog.getByRole('button', { name: 'Take down post' }).click()
    await dialog.getByRole('alert').getByText('You are offline').waitFor()
    await expectAccessible(page, 'reports-take-down-offline')
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Take down post' }).click()
    await expectNotice(page, 'Post taken down.')
    await page.getByRole('heading', { name: 'No open reports' }).waitFor()
    // The log lines of the take-down and of its request have the same reference.
    const { log } = dashboard.service
    const { reference } = log.find(({ post_id }) => post_id === id) ?? {}
    await expect
      .poll(() => log.find(line => line.msg === 'request' && line.reference === reference))
      .toMatchObject({ path: '/trpc/reports.takeDown', status: 200 })
  })

  test('are in the navigation for operators only', async () => {
    const operator = await dashboard.as(chief)
    await operator.open('/')
    await operator.page.getByRole('link', { name: 'Reports' }).click()
    await operator.page.getByRole('heading', { name: 'Reports', exact: true }).waitFor()
    const { page, open } = await dashboard.as(await dashboard.service.signUp())
    await open('/')
    await page.getByRole('link', { name: 'Posts' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Reports' }).count()).toBe(0)
    await open('/reports')
    await page.getByRole('heading', { name: 'For operators only' }).waitFor()
    await expectAccessible(page, 'reports-refused')
  })

  test('show an error if they cannot be loaded, and load on a retry', async () => {
    const { page, open } = await dashboard.as(chief)
    await page.route(/\/trpc\/[^?]*reports\.list/, route => route.abort().catch(() => {}))
    await open('/reports')
    await page.getByRole('heading', { name: 'The service is not responding' }).waitFor()
    await page.unroute(/\/trpc\/[^?]*reports\.list/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No open reports').waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })
})
