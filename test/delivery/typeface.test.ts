import { describe, expect, test } from 'vitest'
import { fontFiles } from '../../facades/http/page/typeface.ts'
import { requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite } from './support/site.ts'

const service = useTestService()

const FAMILY = 'Figtree'

const open = async (path: string) => {
  const response = await fetch(service.root + path, { headers: { accept: 'text/html' } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('the typeface', () => {
  test.each([
    'front page /',
    'reference /docs',
    'tool server /mcp',
    'unknown page /nowhere',
    'error of the authorization server /oauth/authorize',
  ])('is declared, preloaded and allowed on the %s', async name => {
    const { text, headers } = await open(name.split(' ').at(-1)!)
    const address = `/_fonts/${fontFiles[0].name}`
    expect(text).toContain(`<link rel="preload" href="${address}" as="font" type="font/woff2" crossorigin>`)
    expect(text).toContain(`src:url("${address}")`)
    expect(text).toContain(`--font:"${FAMILY}"`)
    expect(headers.get('content-security-policy')).toContain("font-src 'self'")
  })

  test.each(fontFiles)('$name may be cached forever', async ({ name, bytes }) => {
    const response = await fetch(`${service.root}/_fonts/${name}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('font/woff2')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  })

  test('is served with its license', async () => {
    const { status, text, headers } = await open('/_fonts/LICENSE.txt')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/plain')
    expect(text).toContain('SIL OPEN FONT LICENSE')
  })

  test('is not at the address of an earlier version', async () => {
    expect((await open('/_fonts/figtree-latin-0123456789ab.woff2')).status).toBe(404)
  })

  test('is used neither on sites nor in posts', async () => {
    const site = await newSite(service)
    await site.page('about', '<h1>About</h1>')
    const { body } = await site.space.owner.api.post<{ id: string }>('/posts', {
      format: 'markdown',
      markdown: 'Hello',
    })
    const { host } = new URL(service.core.addresses.post(body.id))
    const documents = [
      await requestHost(service, host),
      ...(await Promise.all(['/', '/about', '/nowhere'].map(path => site.open(path)))),
    ]
    expect(documents.map(({ status }) => status)).toEqual([200, 200, 200, 404])
    for (const { text } of documents) expect(text).not.toContain(FAMILY)
    expect((await open(`/posts/${body.id}`)).text).toContain(FAMILY)
  })
})
