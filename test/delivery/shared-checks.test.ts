import { expect, onTestFinished, test } from 'vitest'
import { findRevision, findSiteId } from '../../db/queries/delivery.ts'
import { recordStatements } from '../support/statements.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite } from './support/site.ts'

const service = useTestService()

test('requests for the revision of a site share a query if they arrive before the query is sent; a later request sends its own query', async () => {
  const sql = service.core.database
  const { subdomain } = await service.createSpace()
  const { id } = (await findSiteId(sql, subdomain))!
  const end = recordStatements()
  const first = [findRevision(sql, id), findRevision(sql, id)]
  await new Promise(resolve => setImmediate(resolve))
  // The first query has been sent, so it can miss later changes. This request must send its own query.
  const second = findRevision(sql, id)
  const revisions = await Promise.all([...first, second])
  const third = await findRevision(sql, id)
  expect(new Set([...revisions, third]).size).toBe(1)
  const own = end().statements.filter(({ values }) => values.includes(id))
  expect(own).toHaveLength(3)
})

test('a reader sees every write that was completed before the request, even while many others read', async () => {
  const site = await newSite(service)
  const page = await site.page('about', '{{ data.round }}')
  const done = new AbortController()
  onTestFinished(() => done.abort())
  const readers = Array.from({ length: 8 }, async () => {
    while (!done.signal.aborted) await site.open('/about')
  })
  for (let round = 0; round < 30; round += 1) {
    await site.data('round', round)
    const { text } = await site.open('/about')
    expect(text.replace(/<[^>]*>/g, '').trim()).toBe(String(round))
  }
  await site.space.api.delete(`/pages/${page.id}`)
  expect((await site.open('/about')).status).toBe(404)
  done.abort()
  await Promise.all(readers)
})

test('a new site with the subdomain of a deleted one shows its own pages', async () => {
  const site = await newSite(service)
  await site.page('about', 'first')
  const { owner, subdomain } = site.space
  expect((await site.open('/about')).text).toContain('first')
  await owner.spaces.delete({ subdomain, confirm: subdomain })
  expect((await site.open('/about')).status).toBe(404)
  await owner.spaces.create({ subdomain, name: 'Second' })
  const created = await owner.pages.create({ subdomain, slug: 'about', kind: 'static', html: 'second' })
  expect(created.slug).toBe('about')
  expect((await site.open('/about')).text).toContain('second')
})
