/** The documented nginx with a folder of certificates for the domains of spaces. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let folder: string
let nginx: ChildProcess
let port: number

/** Creates a certificate and its key. */
const certify = async (name: string, file: string) => {
  const args = ['-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', `${file}.key`]
  const openssl = spawn('openssl', ['req', '-x509', ...args, '-out', `${file}.pem`], { stdio: 'ignore' })
  expect(await once(openssl, 'exit')).toEqual([0, null])
}

/** Returns the name in the certificate that nginx presents to a client that asks for `servername`. */
const certificateFor = async (servername: string): Promise<unknown> => {
  const socket = tls.connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerCertificate().subject.CN
  } finally {
    socket.destroy()
  }
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-nginx-domains-'))
  await mkdir(path.join(folder, 'domains'))
  await certify('bakery.example', path.join(folder, 'domains/bakery.example'))
  await certify('outside', path.join(folder, 'outside'))
  for (const end of ['pem', 'key']) await cp(`${folder}/outside.${end}`, `${folder}/certificate.${end}`)
  port = await freePort()
  const documented = (await readFile('docs/proxies/nginx.conf', 'utf8'))
    .replaceAll('/etc/ssl/space-site/key.pem', '/etc/ssl/space-site/certificate.key')
    .replaceAll('/etc/ssl/space-site', folder)
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${await freePort()}`)
    .replaceAll(/^ *listen \[.*\n/gm, '')
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const file = path.join(folder, 'nginx.conf')
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
     events {} http { access_log off;
     ${kinds.map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ')} ${documented} }`,
  )
  nginx = spawn('nginx', ['-c', file, '-e', path.join(folder, 'error.log')], { stdio: 'ignore' })
  await vi.waitFor(() => certificateFor('bakery.example'), 60_000)
})
afterAll(async () => {
  nginx.kill('SIGTERM')
  await once(nginx, 'exit')
  await rm(folder, { recursive: true, force: true })
})

test('a domain has the certificate of its name', async () => {
  expect(await certificateFor('bakery.example')).toBe('bakery.example')
})

test.each(['unknown.example', '../outside', 'x/../../outside'])(
  'there is no certificate for %s',
  async name => {
    await expect(certificateFor(name)).rejects.toThrow(/alert/)
  },
)
