import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../support/world.ts'
import { expectAccessible, root, useScreen } from '../support/screen.ts'

const screen = useScreen({ operators: ['chief'] })
let chief: Person

beforeAll(async () => {
  chief = await screen.world.person('Chief')
})

describe('the reports', () => {
  test('are listed for operators, lead to the post, and are dismissed one by one', async () => {
    const [author, reader, other] = await Promise.all([
      screen.world.person(),
      screen.world.person(),
      screen.world.person(),
    ])
    const { page, open } = await screen.as(chief)
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
      `${root(screen.world)}/posts/${id}`,
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

  test('are reached by the navigation, which shows them to operators only', async () => {
    const operator = await screen.as(chief)
    await operator.open('/')
    await operator.page.getByRole('link', { name: 'Reports' }).click()
    await operator.page.getByRole('heading', { name: 'Reports', exact: true }).waitFor()
    const { page, open } = await screen.as(await screen.world.person())
    await open('/')
    await page.getByRole('link', { name: 'Posts' }).waitFor()
    expect(await page.getByRole('link', { name: 'Reports' }).count()).toBe(0)
    await open('/reports')
    await page.getByRole('heading', { name: 'For operators only' }).waitFor()
    await expectAccessible(page, 'reports-refused')
  })

  test('say what broke, and try again', async () => {
    const { page, open } = await screen.as(chief)
    await page.route(/\/trpc\/[^?]*reports\.list/, route => route.abort())
    await open('/reports')
    await page.getByRole('heading', { name: 'The service does not answer' }).waitFor()
    await page.unroute(/\/trpc\/[^?]*reports\.list/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing to look at').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
