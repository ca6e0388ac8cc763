/** Certificates for the domains of spaces, from the real Caddy with the documented configuration and its own authority. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { OWN_ADDRESS, useDomainService } from '../support/domains.ts'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, OWN_ADDRESS)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const port = await freePort()
const started = useDomainService({
  apiRoot: 'https://main.example',
  siteDomain: `sites.example:${port}`,
  scheme: 'https',
  trustedProxies: ['loopback'],
})

/** The documented configuration, with only the part for domains of spaces, whose certificates Caddy issues itself. */
const configuration = async (servicePort: number): Promise<string> =>
  (await readFile('docs/proxies/Caddyfile', 'utf8'))
    .replaceAll('{$SERVICE:127.0.0.1:3000}', `127.0.0.1:${servicePort}`)
    .replaceAll(/^(?:\*\.)?\{\$.* \{\n[\s\S]*?^\}\n/gm, '')
    .replace(/^\{\n/m, '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n')
    .replace(/^https:\/\/ \{/m, `https://:${port} {`)
    .replace(/^\t\ton_demand\n/m, '\t\ton_demand\n\t\tissuer internal\n')

let folder: string
let caddy: ChildProcess
const trusted = tls.getCACertificates('default')

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-certificates-'))
  const file = path.join(folder, 'Caddyfile')
  await writeFile(file, await configuration(started.service.port))
  const env = { PATH: process.env.PATH, HOME: folder }
  caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { stdio: 'ignore', env })
  const authority = path.join(folder, '.local/share/caddy/pki/authorities/local/root.crt')
  await vi.waitFor(() => readFile(authority), 60_000)
  // The service verifies certificates as every client does.
  tls.setDefaultCACertificates([...trusted, await readFile(authority, 'utf8')])
  // A name that may have no certificate is refused as soon as Caddy listens.
  await vi.waitFor(async () => {
    const error: unknown = await open('unknown.example').catch((error: unknown) => error)
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') throw error
  }, 60_000)
})
afterAll(async () => {
  tls.setDefaultCACertificates(trusted)
  caddy.kill()
  await once(caddy, 'exit')
  await rm(folder, { recursive: true, force: true })
})

/** Opens the home page at a name. Rejects if the name has no certificate. */
const open = async (name: string): Promise<{ status: number | undefined; body: string }> => {
  const { promise, resolve, reject } = Promise.withResolvers<
    Parameters<typeof text>[0] & { statusCode?: number }
  >()
  https
    .get(
      { host: OWN_ADDRESS, port, servername: name, headers: { host: `${name}:${port}` }, agent: false },
      resolve,
    )
    .on('error', reject)
  const response = await promise
  return { status: response.statusCode, body: await text(response) }
}

test('a site moves to its domain once Caddy has the certificate; other names get none', async () => {
  const { service } = started
  const space = await service.createSpace()
  const { subdomain, owner } = space
  await owner.pages.create({ subdomain, slug: 'index', html: '<h1>Our bakery</h1>', kind: 'static' })
  await expect(open('bakery.example')).rejects.toThrow('alert internal error')

  await started.connect(space, 'bakery.example')
  const stateOf = async () => (await owner.domains.list({ subdomain })).domains[0]!
  expect(await stateOf()).toMatchObject({ name: 'bakery.example', state: 'verified', has_certificate: false })
  await started.check(1)
  expect(await stateOf()).toMatchObject({ state: 'main', has_certificate: true })
  expect(await open('bakery.example')).toMatchObject({
    status: 200,
    body: expect.stringContaining('Our bakery'),
  })

  const { questions } = started.dns
  const unknown = Array.from({ length: 100 }, (_, number) => open(`unknown-${number}.example`))
  const outcomes = await Promise.allSettled(unknown)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
  expect(started.dns.questions).toBe(questions)
  expect((await open('bakery.example')).status).toBe(200)
})
