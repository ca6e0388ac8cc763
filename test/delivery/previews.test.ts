import { describe, expect, it } from 'vitest'
import { policyOf, requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const HOST = 'preview-k3v9x2m7q4t8w5z6.pages.localhost'

describe('the origin of draft previews', () => {
  it.each(['/', '/static'])('serves the same document at %s, whichever id the host name has', async path => {
    const one = await requestHost(service, HOST, path)
    const other = await requestHost(service, 'preview-2222222222222222.pages.localhost', path)
    expect(one.status).toBe(200)
    expect(one.text).toBe(other.text)
    expect(one.headers['set-cookie']).toBeUndefined()
  })

  it.each(['/', '/static'])('allows only the dashboard to frame %s', async path => {
    expect(policyOf(await requestHost(service, HOST, path))['frame-ancestors']).toBe('http://localhost')
  })

  it('gives scripted drafts the permissions of scripted pages, except dialogs and top navigation', async () => {
    const { sandbox } = policyOf(await requestHost(service, HOST))
    expect(sandbox?.split(' ')).toEqual(expect.arrayContaining(['allow-scripts', 'allow-forms']))
    expect(sandbox).not.toMatch(/allow-top-navigation|allow-modals/)
  })

  it('allows only the script of the service if the draft is static', async () => {
    const policy = policyOf(await requestHost(service, HOST, '/static'))
    expect(policy['default-src']).toBe("'none'")
    expect(policy['script-src']).toMatch(/^'sha256-[\w+/]{43}='$/)
  })

  it.each([
    [HOST, '/other'],
    ['preview-short.pages.localhost', '/'],
    ['preview-.pages.localhost', '/'],
    ['preview-k3v9x2m7q4t8w5z6.files.localhost', '/'],
  ])('returns 404 at %s%s', async (host, path) => {
    expect((await requestHost(service, host, path)).status).toBe(404)
  })
})
