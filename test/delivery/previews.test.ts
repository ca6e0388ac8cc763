import { describe, expect, it } from 'vitest'
import { browse, policyOf } from '../support/browse.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const HOST = 'preview-k3v9x2m7q4t8w5z6.pages.localhost'

describe('the origin of drafts', () => {
  it.each(['/', '/static'])('serves at %s one document, the same at every label', async path => {
    const one = await browse(world, HOST, path)
    const other = await browse(world, 'preview-2222222222222222.pages.localhost', path)
    expect(one.status).toBe(200)
    expect(one.text).toBe(other.text)
    expect(one.headers['set-cookie']).toBeUndefined()
  })

  it.each(['/', '/static'])('lets only the screen frame what is at %s', async path => {
    expect(policyOf(await browse(world, HOST, path))['frame-ancestors']).toBe('http://localhost')
  })

  it('gives scripted drafts what scripted pages get, but no way to the window around them', async () => {
    const { sandbox } = policyOf(await browse(world, HOST))
    expect(sandbox?.split(' ')).toEqual(expect.arrayContaining(['allow-scripts', 'allow-forms']))
    expect(sandbox).not.toMatch(/allow-top-navigation|allow-modals/)
  })

  it('lets nothing but its own script run around static drafts', async () => {
    const policy = policyOf(await browse(world, HOST, '/static'))
    expect(policy['default-src']).toBe("'none'")
    expect(policy['script-src']).toMatch(/^'sha256-[\w+/]{43}='$/)
  })

  it.each([
    [HOST, '/other'],
    ['preview-short.pages.localhost', '/'],
    ['preview-.pages.localhost', '/'],
    ['preview-k3v9x2m7q4t8w5z6.files.localhost', '/'],
  ])('has nothing at %s%s', async (host, path) => {
    expect((await browse(world, host, path)).status).toBe(404)
  })
})
