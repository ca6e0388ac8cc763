import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../support/world.ts'
import { expectAccessible, expectFocus, root, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard({ operators: ['chief'] })
let chief: Person

beforeAll(async () => {
  chief = await dashboard.world.person('Chief')
})

describe('the reports', () => {
  test('are listed for operators, lead to the post, and are dismissed one by one', async () => {
    const [author, reader, other] = await Promise.all([
      dashboard.world.person(),
      dashboard.world.person(),
      dashboard.world.person(),
    ])
    const { page, open } = await dashboard.as(chief)
    await open('/reports')
    await page.getByRole('heading', { name: 'Nothing to look at' }).waitFor()
    await expectAccessible(page, 'reports-empty')

    const { id } = await author.posts.create({ html: 'Buy <b>now</b>' })
    await reader.reports.create({ post_id: id, reason: 'It sells things.\nAnd <b>shouts</b>.' })
    await other.reports.create({ post_id: id, reason: 'Spam' })
    await page.reload()
    const first = page.getByRole('listitem').filter({ hasText: 'It sells things.' })
    await first.getByText('And <b>shouts</b>.').waitFor()
    await expectAccessible(page, 'reports')
    expect(await first.getByRole('link', { name: 'Open the post' }).getAttribute('href')).toBe(
      `${root(dashboard.world)}/posts/${id}`,
    )
    await first.getByRole('button', { name: 'Dismiss' }).click()
    await first.waitFor({ state: 'hidden' })
    await page.getByText('The report has been dismissed.').waitFor()
    expect(await chief.reports.list()).toMatchObject([{ reason: 'Spam' }])

    // A report that is gone already goes without a fuss.
    await author.posts.delete({ post_id: id })
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('heading', { name: 'Nothing to look at' }).waitFor()
  })

  test('lead to taking a post down after asking, and the keyboard goes on in the list', async () => {
    const [author, reader, other] = await Promise.all([
      dashboard.world.person(),
      dashboard.world.person(),
      dashboard.world.person(),
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
      .getByRole('button', { name: 'Take the post down' })
    const dialog = page.getByRole('dialog', { name: 'Take this post down?' })
    await button.click()
    await dialog.getByText(`@${author.handle}`).waitFor()
    await expectAccessible(page, 'reports-take-down')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expectFocus(page, 'Take the post down')
    expect(await chief.reports.list()).toHaveLength(3)

    await button.click()
    await dialog.getByRole('button', { name: 'Take the post down' }).click()
    await page.getByText('The post has been taken down.').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await expectFocus(page, 'Too early')
    expect(await page.getByRole('article').count()).toBe(1)
    expect((await fetch(`${dashboard.world.root}/posts/${id}`)).status).toBe(404)
    const { posts } = await author.writing.list({ show: 'all' })
    expect(posts.map(post => post.id)).toEqual([fine])
    await expectAccessible(page, 'reports-taken-down')
    await author.posts.delete({ post_id: fine })
  })

  test('tell who comes late with taking a post down what has become of it', async () => {
    const [author, reader] = await Promise.all([dashboard.world.person(), dashboard.world.person()])
    const { page, open } = await dashboard.as(chief)
    const ask = async (reason: string) => {
      const { id } = await author.posts.create({ html: reason })
      await reader.reports.create({ post_id: id, reason })
      await open('/reports')
      await page.getByRole('button', { name: 'Take the post down' }).click()
      return id
    }
    const dialog = page.getByRole('dialog', { name: 'Take this post down?' })
    const confirm = () => dialog.getByRole('button', { name: 'Take the post down' }).click()

    await author.posts.delete({ post_id: await ask('Deleted') })
    await confirm()
    await page.getByText('The post had been deleted already.').waitFor()
    await expectFocus(page, 'Nothing to look at')

    const id = await ask('Dismissed')
    const [report] = await chief.reports.list()
    await chief.reports.dismiss({ report_id: report!.id })
    await confirm()
    await page.getByText('The report has been dismissed in the meantime').waitFor()
    await expectFocus(page, 'Nothing to look at')
    expect((await fetch(`${dashboard.world.root}/posts/${id}`)).status).toBe(200)
  })

  test('keep the question open when a post could not be taken down, until that works', async () => {
    const [author, reader] = await Promise.all([dashboard.world.person(), dashboard.world.person()])
    const { id } = await author.posts.create({ html: 'x' })
    await reader.reports.create({ post_id: id, reason: 'Spam' })
    const { context, page, open } = await dashboard.as(chief)
    await open('/reports')
    await page.getByRole('button', { name: 'Take the post down' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take this post down?' })
    await context.setOffline(true)
    await dialog.getByRole('button', { name: 'Take the post down' }).click()
    await dialog.getByRole('alert').getByText('You are offline').waitFor()
    await expectAccessible(page, 'reports-take-down-offline')
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Take the post down' }).click()
    await page.getByText('The post has been taken down.').waitFor()
    await page.getByRole('heading', { name: 'Nothing to look at' }).waitFor()
    // The number leads from the line to the request.
    const { reference: number } = dashboard.world.log.find(({ post_id }) => post_id === id) ?? {}
    const request = dashboard.world.log.find(
      ({ msg, reference }) => msg === 'request' && reference === number,
    )
    expect(request).toMatchObject({ path: '/trpc/reports.takeDown', status: 200 })
  })

  test('are reached by the navigation, which shows them to operators only', async () => {
    const operator = await dashboard.as(chief)
    await operator.open('/')
    await operator.page.getByRole('link', { name: 'Reports' }).click()
    await operator.page.getByRole('heading', { name: 'Reports', exact: true }).waitFor()
    const { page, open } = await dashboard.as(await dashboard.world.person())
    await open('/')
    await page.getByRole('link', { name: 'Posts' }).waitFor()
    expect(await page.getByRole('link', { name: 'Reports' }).count()).toBe(0)
    await open('/reports')
    await page.getByRole('heading', { name: 'For operators only' }).waitFor()
    await expectAccessible(page, 'reports-refused')
  })

  test('say what broke, and try again', async () => {
    const { page, open } = await dashboard.as(chief)
    await page.route(/\/trpc\/[^?]*reports\.list/, route => route.abort())
    await open('/reports')
    await page.getByRole('heading', { name: 'The service does not answer' }).waitFor()
    await page.unroute(/\/trpc\/[^?]*reports\.list/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing to look at').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
