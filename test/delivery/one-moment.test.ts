import { expect, it } from 'vitest'
import { evaluate } from '../../routers/delivery/evaluate-page.ts'
import { siteFinder } from '../../routers/delivery/find-page.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite } from './support/site.ts'

const service = useTestService()

it('a page that was looked up before a write is never evaluated with the old data of its space', async () => {
  const { core } = service
  const site = await newSite(service)
  await site.data('version', 'old')
  const page = await site.page('about', 'old={{ data.version }}')
  await site.page('other', '{{ data.version }}')
  const found = await siteFinder(core)(site.space.subdomain, 'about')
  // The renderer now has the old space in its cache, but not the body of the page.
  await site.open('/other')
  await site.data('version', 'new')
  await site.space.api.patch(`/pages/${page.id}`, { html: 'new={{ data.version }}' })
  const outcome = await evaluate(core, found!.page!.row)
  expect(String(outcome && 'html' in outcome && outcome.html)).toContain('new=new')
})
