import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../db/id.ts'
import { copyDatabase } from '../support/database.ts'
import { policyOf, requestHost } from '../support/request-host.ts'
import { startTestService, type TestService, useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite

beforeEach(async () => {
  site = await newSite(service)
})

type Kind = 'scripted' | 'static'

const keep = async (
  thing: string,
  fields: { slug?: string; kind?: Kind; html: string },
  { is_new = false, person = site.space.owner } = {},
) => {
  const { subdomain } = site.space
  const all = { slug: 'draft-page', kind: 'static' as Kind, ...fields }
  await person.unsaved.keep({ subdomain, kind: 'page', thing, is_new, fields: all, base: null })
}

/** Keeps a draft of a new page, and creates a link to it. */
const linkTo = async (fields: Parameters<typeof keep>[1], person = site.space.owner) => {
  const thing = newId()
  await keep(thing, fields, { is_new: true, person })
  return person.previewLinks.create({ subdomain: site.space.subdomain, thing })
}

const open = (url: string, options?: Parameters<typeof requestHost>[3], at: TestService = service) => {
  const { host, pathname, search } = new URL(url)
  return requestHost(at, host, pathname + search, options)
}

describe('a preview link', () => {
  test('shows the draft of its creator as it is now, then the saved page, and nothing after that is deleted', async () => {
    const { owner, subdomain } = site.space
    const other = await site.space.join()
    const { id } = await site.page('about', 'saved')
    await keep(id, { html: 'first' })
    await keep(id, { html: 'of another person' }, { person: other })
    const { url } = await owner.previewLinks.create({ subdomain, thing: id })
    expect((await open(url)).text).toContain('first')
    await keep(id, { html: '{{ "SECOND" | downcase }} at {{ page.url }}' })
    expect((await open(url)).text).toContain(`second at http://${subdomain}.sites.localhost/draft-page`)
    await owner.unsaved.discard({ subdomain, kind: 'page', thing: id })
    expect((await open(url)).text).toContain('saved')
    await keep(id, { html: 'third' })
    await owner.pages.delete({ subdomain, page_id: id })
    expect((await open(url)).status).toBe(404)
  })

  test('shows the parts and records of the space', async () => {
    await site.part('head', '<h1>{{ data.site.name }}</h1>')
    await site.data('site', { name: 'Beans' })
    const { url } = await linkTo({ html: "{% include 'head' %}" })
    expect((await open(url)).text).toContain('<h1>Beans</h1>')
    await site.data('site', { name: 'Peas' })
    expect((await open(url)).text).toContain('<h1>Peas</h1>')
  })

  test.each(['scripted', 'static'] as const)(
    'gives a %s draft the rights of a saved page, and tells nobody its address',
    async kind => {
      const { url } = await linkTo({ kind, html: '<p>draft</p><script>1</script>' })
      const { status, headers, text } = await open(url)
      expect(status).toBe(200)
      expect(text.includes('<script>')).toBe(kind === 'scripted')
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
      })
      expect(headers['set-cookie']).toBeUndefined()
      const directives = policyOf(await open(url))
      expect(directives['frame-ancestors']).toBe("'none'")
      const saved = await site.page('saved', 'text', kind)
      const ofSaved = policyOf(kind === 'scripted' ? await site.openOrigin(saved) : await site.open('/saved'))
      expect({ ...directives, 'frame-ancestors': '' }).toEqual({ ...ofSaved, 'frame-ancestors': '' })
    },
  )

  test('explains a template error without a link to the editor', async () => {
    const { url } = await linkTo({ html: '{% if %}' })
    const { headers, text } = await open(url)
    expect(headers).toMatchObject({
      'x-template-error': 'syntax',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(text).toContain('syntax error')
    expect(text).not.toContain('/admin/')
  })

  test('has an origin of its own, whose other paths lead to the site', async () => {
    const [one, other] = [await linkTo({ html: 'x' }), await linkTo({ html: 'x' })]
    expect(new URL(one.url).host).not.toBe(new URL(other.url).host)
    const site_ = `http://${site.space.subdomain}.sites.localhost`
    for (const path of ['/', '/about?page=2', '//elsewhere.example/x'])
      expect((await open(new URL(one.url).origin + path)).headers.location).toBe(site_ + path)
    expect((await open(`${one.url}?page=2`)).text).toContain('x')
  })

  test('works only with its own secret, which never reaches the site', async () => {
    const [one, other] = [await linkTo({ html: 'x' }), await linkTo({ html: 'x' })]
    const { origin, pathname } = new URL(one.url)
    for (const path of [
      new URL(other.url).pathname,
      `${pathname})`,
      `/x${pathname}`,
      pathname.slice(0, -1),
    ]) {
      const { status, headers } = await open(origin + path)
      expect([status, headers.location]).toEqual([404, undefined])
    }
    const unknown = origin.replace(/draft-\w+/, `draft-${newId()}`)
    for (const path of [pathname, '/', '/about']) expect((await open(unknown + path)).status).toBe(404)
    expect((await open(origin.replace(/draft-\w+/, 'draft-x') + pathname)).status).toBe(404)
  })

  test('only answers GET and HEAD', async () => {
    const { url } = await linkTo({ html: 'x' })
    expect(await open(url, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect((await open(url, { method: 'POST' })).status).toBe(405)
  })

  test('is not in the log', async () => {
    const { url } = await linkTo({ html: 'x' })
    const { host, pathname } = new URL(url)
    await open(url)
    await open(`${url})`)
    await expect
      .poll(() => service.log.filter(line => line.host === host).map(({ path }) => path))
      .toEqual(['/…', '/…'])
    expect(JSON.stringify(service.log)).not.toContain(pathname.slice(1))
  })

  test('takes the turns of its creator in the renderer, apart from the space and from the previews of authors', async () => {
    const other = await site.space.join()
    const { subdomain } = site.space
    await site.page('about', 'text')
    const { url } = await linkTo({ html: 'x' }, other)
    const render = vi.spyOn(service.core.renderer, 'render')
    onTestFinished(() => render.mockRestore())
    await site.open('/about')
    await other.previews.page({ subdomain, editor: 'one', slug: 'x', kind: 'static', html: 'x' })
    await open(url)
    const [saved, preview, linked] = render.mock.calls.map(([{ account, space }]) => ({ account, space }))
    expect(linked!.account).toBe(preview!.account)
    expect(linked!.account).not.toBe(saved!.account)
    expect(new Set([saved, preview, linked].map(request => request!.space)).size).toBe(3)
  })
})

describe('a preview link ends', () => {
  test('with its time', async () => {
    const { url, id } = await linkTo({ html: 'x' })
    const endIn = (interval: string) =>
      sql`update preview_links set expires_at = now() + ${interval}::interval where id = ${id}`.execute(
        service.core.database,
      )
    await endIn('1 minute')
    expect((await open(url)).status).toBe(200)
    await endIn('-1 minute')
    expect((await open(url)).status).toBe(404)
    expect((await open(`${new URL(url).origin}/about`)).status).toBe(404)
  })

  test('when its creator leaves the space, and when the space is deleted', async () => {
    const other = await site.space.join()
    const { subdomain, owner } = site.space
    const [theirs, mine] = [await linkTo({ html: 'x' }, other), await linkTo({ html: 'x' })]
    await other.participants.leave({ subdomain })
    expect([(await open(theirs.url)).status, (await open(mine.url)).status]).toEqual([404, 200])
    await owner.spaces.delete({ subdomain, confirm: subdomain })
    expect((await open(mine.url)).status).toBe(404)
  })

  test('in every process with the request after it is revoked', async () => {
    const databaseUrl = await copyDatabase(inject('database'))
    const [first, second] = [await startTestService({ databaseUrl }), await startTestService({ databaseUrl })]
    onTestFinished(async () => void (await Promise.all([first.stop(), second.stop()])))
    site = await newSite(first)
    const link = await linkTo({ html: 'draft' })
    for (const process of [first, second, second])
      expect((await open(link.url, {}, process)).text).toContain('draft')
    await site.space.owner.previewLinks.revoke({ subdomain: site.space.subdomain, link_id: link.id })
    for (const process of [second, first]) expect((await open(link.url, {}, process)).status).toBe(404)
  })
})
