import { expect, test } from 'vitest'
import { withMembershipLocked } from '../../../db/locks.ts'
import { writeVisits } from '../../../routers/visits/store.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { breakTable } from '../support/failures.ts'

const dashboard = useDashboard({ operators: ['chief'] })

test('operators see how the service is doing, also when parts of it fail', async () => {
  const { service } = dashboard
  const chief = await service.signUp('Chief')
  const { page, open } = await dashboard.as(chief)
  await open('/service')
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  await section('Visits').getByText('No site was read today.').waitFor()
  await section('Checks')
    .getByText(/to look at/)
    .waitFor()
  await section('Checks').getByRole('listitem').first().waitFor()
  await expectAccessible(page, 'service-empty')

  const space = await service.createSpace('busy')
  await space.owner.domains.add({ subdomain: 'busy', domain: 'bakery.example' })
  const { database } = service.core
  const { id: spaceId } = await database
    .selectFrom('spaces')
    .select('id')
    .where('subdomain', '=', 'busy')
    .executeTakeFirstOrThrow()
  // The service checks the new domain at any moment. Under the lock, that check cannot overwrite what is set here.
  await withMembershipLocked(database, spaceId, sql =>
    sql
      .updateTable('domains')
      .set({ verified_at: new Date(), failing_since: new Date() })
      .where('name', '=', 'bakery.example')
      .execute(),
  )
  const names = [{ kind: 'failed' as const, name: '/broken', count: 3 }]
  const day = new Date().toISOString().slice(0, 10)
  await writeVisits(service.core.database, [
    { spaceId, day, views: 1234, failed: 3, notFound: 5, names, hours: [], visitors: [] },
  ])
  service.core.onFailure('Could not delete old drafts')(new Error('planted'))
  await page.reload()
  await section('Visits').getByRole('definition').filter({ hasText: '1,234' }).waitFor()
  await expect
    .poll(() => section('Visits').getByRole('link', { name: 'busy: /broken' }).getAttribute('href'))
    .toBe(`${service.core.addresses.site('busy')}/broken`)
  await section('Domains of spaces').getByText('bakery.example of busy has not led here').waitFor()
  await section('Process and background work').getByText('Could not delete old drafts: once').waitFor()
  await expectAccessible(page, 'service')

  // The view also loads by itself once a minute, perhaps just before the button is clicked.
  await page.addInitScript(`{
    const start = setInterval
    window.setInterval = (work, delay, ...given) => start(work, delay === 60_000 ? 2 ** 31 - 1 : delay, ...given)
  }`)
  const restore = await breakTable(service, 'visit_days')
  await page.reload()
  await page.getByText(/^Reference [2-9a-z]{16}$/).waitFor()
  await expectAccessible(page, 'service-failed')
  await restore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await section('Visits').waitFor()
})

test('others are told that the view is for operators', async () => {
  const { page, open } = await dashboard.as(await dashboard.service.signUp())
  await open('/service')
  await page.getByRole('heading', { name: 'For operators only' }).waitFor()
  await expectAccessible(page, 'service-refused')
})
