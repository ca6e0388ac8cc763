import { beforeEach, describe, expect, it } from 'vitest'
import { policyOf, requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
const HOST = 'preview-k3v9x2m7q4t8w5z6.pages.localhost'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
let site: TestSite

beforeEach(async () => {
  site = await newSite(service)
})

/** Requests a picture as the frame of a browser does. */
const picture = (slug = '', subdomain = site.space.subdomain) =>
  requestHost(service, HOST, `/pictures/${subdomain}/${slug}`, {
    headers: { 'user-agent': BROWSER, 'sec-fetch-dest': 'iframe' },
  })

describe('the picture of a page', () => {
  it.each(['static', 'scripted'] as const)('is the %s page as visitors see it now', async kind => {
    await site.data('event', { title: 'Harvest' })
    await site.page('index', '<h1>{{ data.event.title }}</h1>', kind)
    await site.page('about', '<p>{{ space.name }}</p>', kind)
    expect((await picture()).text).toContain('<h1>Harvest</h1>')
    expect((await picture('about')).text).toContain(`<p>The ${site.space.subdomain}</p>`)
    await site.data('event', { title: 'Feast' })
    expect((await picture()).text).toContain('<h1>Feast</h1>')
  })

  it('runs nothing, has no origin, and can be framed by the dashboard only', async () => {
    await site.page('index', '<script>alert(1)</script><form></form>', 'scripted')
    const response = await picture()
    expect(policyOf(response)).toMatchObject({
      sandbox: '',
      'default-src': "'none'",
      'script-src': "'none'",
      'frame-src': "'none'",
      'form-action': "'none'",
      'frame-ancestors': 'http://localhost',
    })
    expect(response.headers['x-robots-tag']).toBe('noindex')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['set-cookie']).toBeUndefined()
  })

  it('is the list of pages if the site has no home page, with the same policy', async () => {
    await site.page('about', '<title>About us</title>')
    const response = await picture()
    expect(response.text).toContain('About us')
    expect(policyOf(response)).toEqual(policyOf(await picture('about')))
  })

  it('shows what is wrong if the page shows visitors an error, but not where to repair it', async () => {
    await site.page('index', '{% if %}')
    const response = await picture()
    expect(response.text).toContain('syntax error')
    expect(response.text).not.toContain('/admin/')
    expect(policyOf(response)['frame-ancestors']).toBe('http://localhost')
  })

  it('is not counted as a visit', async () => {
    await site.page('index', 'Home')
    await picture()
    const read = async () => {
      await service.core.visits!.flush()
      const { subdomain, owner } = site.space
      return (await owner.visits.get({ subdomain })).views
    }
    expect(await read()).toBe(0)
    await site.open('/', { headers: { 'user-agent': BROWSER } })
    expect(await read()).toBe(1)
  })

  it.each([
    ['a page that does not exist', 'none'],
    ['a path in a page', 'index/more'],
    ['a malformed slug', '%00'],
  ])('does not exist for %s', async (_, slug) => {
    await site.page('index', 'Home')
    expect((await picture(slug)).status).toBe(404)
  })

  it.each(['', 'no-such-space', '..', '%2e%2e', 'UPPER'])('does not exist for the space "%s"', async name => {
    expect((await picture('', name)).status).toBe(404)
  })
})
