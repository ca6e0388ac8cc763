import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { dashboardScript } from '../support/dashboard-script.ts'
import { startTestService, uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService()

const policy = (response: Response) => response.headers.get('content-security-policy') ?? ''
const nonceOf = (response: Response) => /'nonce-([^']+)'/.exec(policy(response))?.[1]

/** Fetches without decompressing, unlike `fetch`. */
const raw = (path: string, headers: Record<string, string>) =>
  new Promise<{
    status: number | undefined
    encoding: string | undefined
    type: string | undefined
    bytes: Buffer
  }>((resolve, reject) => {
    request(service.root + path, { headers }, response => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          encoding: response.headers['content-encoding'],
          type: response.headers['content-type'],
          bytes: Buffer.concat(parts),
        }),
      )
    })
      .on('error', reject)
      .end()
  })

describe('the document of the dashboard', () => {
  test.each(['/admin', '/admin/', '/admin/sign-in', '/admin/spaces/garden/pages/k3v9x2m7q4t8w5z6'])(
    'is served at %s, which the client-side router handles',
    async path => {
      const response = await fetch(service.root + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(await response.text()).toContain('<base href="/admin/"')
    },
  )

  test('allows only its own script files and cannot be framed', async () => {
    const directives = policy(await fetch(`${service.root}/admin`)).split('; ')
    expect(directives).toContain("default-src 'none'")
    expect(directives).toContain("script-src 'self'")
    expect(directives).toContain("frame-ancestors 'none'")
  })

  test('has no inline script', async () => {
    const html = await (await fetch(`${service.root}/admin`)).text()
    expect(html.match(/<script\b[^>]*>[^<]/g)).toBeNull()
  })

  test('has a new nonce in each response', async () => {
    const [one, other] = [await fetch(`${service.root}/admin`), await fetch(`${service.root}/admin`)]
    expect(nonceOf(one)).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(nonceOf(one)).not.toBe(nonceOf(other))
    expect(await one.text()).toContain(`nonce="${nonceOf(one)}"`)
  })

  const meta = async (cookie?: string) => {
    const response = await fetch(`${service.root}/admin`, cookie === undefined ? {} : { headers: { cookie } })
    expect(response.headers.get('vary')).toContain('Cookie')
    return /<meta name="color-scheme" content="([^"]*)"/.exec(await response.text())?.[1]
  }

  test.each(['light', 'dark'])('has the color scheme %s if the cookie says so', async scheme => {
    expect(await meta(`color-scheme=${scheme}`)).toBe(scheme)
    expect(await meta(`session=some; color-scheme=${scheme}; browser=some`)).toBe(scheme)
  })

  test.each([
    undefined,
    'color-scheme=',
    'color-scheme=auto',
    'color-scheme=DARK',
    'color-scheme=dark light',
    'color-scheme=dark%22%3E%3Cscript%3E',
    'color-scheme=%E0%A4%A',
    'other-color-scheme=dark',
  ])('uses the system’s color scheme if the cookie header is %s', async cookie => {
    expect(await meta(cookie)).toBe('light dark')
  })

  test('has a base URL that includes the path of API_ROOT', async () => {
    const below = await startTestService({ apiRoot: 'https://host.example/space' })
    try {
      expect(await (await fetch(`${below.root}/admin`)).text()).toContain('<base href="/space/admin/"')
    } finally {
      await below.stop()
    }
  })
})

describe('a file of the dashboard', () => {
  test('is cached forever, because its name contains a hash of its content', async () => {
    const html = await (await fetch(`${service.root}/admin`)).text()
    const response = await fetch(`${service.root}/admin/${dashboardScript(html)}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s for clients that accept it', async (encoding, decompress) => {
    const html = await (await fetch(`${service.root}/admin`)).text()
    const path = `/admin/${/href="\.\/(assets\/[^"]+\.css)"/.exec(html)![1]!}`
    const plain = await raw(path, {})
    const compressed = await raw(path, { 'accept-encoding': encoding })
    expect(plain.encoding).toBeUndefined()
    expect(compressed.encoding).toBe(encoding)
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(decompress(compressed.bytes).equals(plain.bytes)).toBe(true)
    expect(compressed.type).toBe(plain.type)
  })

  test('returns 404 after a new build has deleted it, and the service keeps running', async () => {
    const name = `deleted-${uniqueName('asset')}.js`
    const file = new URL(`../../facades/admin/dist/assets/${name}`, import.meta.url)
    await writeFile(file, 'export {}')
    const status = async () => (await raw(`/admin/assets/${name}`, {})).status
    expect(await status()).toBe(200)
    await rm(file)
    expect(await status()).toBe(404)
    expect((await fetch(`${service.root}/healthz`)).status).toBe(200)
  })

  test.each(['/admin/assets/nothing.js', '/admin/assets/', '/admin/assets/%2e%2e%2findex.html'])(
    'is not found at %s',
    async path => {
      expect((await fetch(service.root + path)).status).toBe(404)
    },
  )
})
