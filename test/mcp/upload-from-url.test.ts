import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileFetcher } from '../../facades/http/file-fetcher.ts'
import { FairQueue } from '../../routers/api/fair-queue.ts'
import { rules } from '../../routers/api/rules.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { FETCHES } from '../../routers/content/files/fetch-foreign.ts'
import { CERTIFICATE, type DocumentHost, documentHost } from '../oauth/support/document-host.ts'
import { withoutHistory } from '../support/history.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { type ToolClient, toolClient } from './support/tool-client.ts'

const MAX = rules.file.max_bytes
const BLOCK = Buffer.alloc(65_536, 'x')

/** Sends blocks until the client closes the connection. */
const endless = (res: ServerResponse) => {
  const more = () => {
    while (!res.destroyed && res.write(BLOCK));
  }
  res.on('drain', more)
  more()
}

const service = useTestService()
let host: DocumentHost
/** Called when the address `/held` is requested. */
let onHeld = (_res: ServerResponse) => {}
const handlers: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
  '/logo.png': (_req, res) => res.end('logo'),
  '/a%20b.css': (_req, res) => res.end('body {}'),
  '/': (_req, res) => res.end('root'),
  '/empty.txt': (_req, res) => res.end(),
  '/missing.txt': (_req, res) => res.writeHead(404).end('no'),
  '/moved': (_req, res) => res.writeHead(302, { location: '/logo.png' }).end(),
  '/to-http': (_req, res) => res.writeHead(302, { location: 'http://client.test/logo.png' }).end(),
  '/to-inside': (_req, res) => res.writeHead(302, { location: 'https://10.0.0.1/secret.txt' }).end(),
  '/to-nowhere': (_req, res) => res.writeHead(302, { location: 'https://[' }).end(),
  '/loop': (_req, res) => res.writeHead(302, { location: '/loop' }).end(),
  '/packed.txt': (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  '/announced.bin': (_req, res) => res.writeHead(200, { 'content-length': MAX + 1 }).write('x'),
  '/full.bin': (_req, res) => res.end(Buffer.alloc(MAX)),
  '/endless.bin': (_req, res) => endless(res),
  '/silent.txt': () => {},
  '/held': (_req, res) => onHeld(res),
}
beforeAll(async () => {
  host = await documentHost((req, res) => handlers[req.url!]!(req, res))
  const isAllowed = (address: string) => address === '127.0.0.1'
  service.core.fetchFile = fileFetcher({
    resolve: async () => ['127.0.0.1'],
    isAllowed,
    ca: CERTIFICATE,
    timeout: 60_000,
  })
})
afterAll(() => host.close())

let space: TestSpace
let client: ToolClient
beforeEach(async () => {
  space = await service.createSpace()
  client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), '2026-07-28')
})

const upload = (path: string, more: object = {}) =>
  client.call('upload_file_from_url', { url: host.origin + path, ...more })

const files = async () => (await space.api.get<{ data: { name: string }[] }>('/files')).body.data

/** Calls the tool, expects a refusal and no stored file, and returns the errors. */
const refused = async (args: Record<string, unknown>) => {
  const { isError, content } = await client.call('upload_file_from_url', args)
  expect(isError).toBe(true)
  expect(await files()).toEqual([])
  return (JSON.parse(content[0]!.text) as { errors: { field: string; message: string }[] }).errors
}

describe('upload_file_from_url', () => {
  test('stores the file under the name in the address', async () => {
    const { structuredContent } = await upload('/logo.png')
    expect(structuredContent).toMatchObject({ name: 'logo.png', content_type: 'image/png', size: 4 })
    expect(await files()).toEqual([structuredContent])
  })

  test('decodes the name in the address, but uses the argument `name` if there is one', async () => {
    expect((await upload('/a%20b.css')).structuredContent).toMatchObject({ name: 'a b.css' })
    expect((await upload('/logo.png', { name: 'x.svg' })).structuredContent).toMatchObject({ name: 'x.svg' })
  })

  test('follows redirects and takes the name from the last address', async () => {
    expect((await upload('/moved')).structuredContent).toMatchObject({ name: 'logo.png', size: 4 })
  })

  test('stores a file of the maximum size', async () => {
    expect((await upload('/full.bin')).structuredContent).toMatchObject({ size: MAX })
  })

  test.each([
    ['an error of the host', '/missing.txt', 'could not be fetched: its host returned 404 instead of 200'],
    ['an empty file', '/empty.txt', 'must not be empty'],
    ['a redirect to http', '/to-http', 'could not be fetched: its address is not https'],
    [
      'a redirect to a private network',
      '/to-inside',
      'could not be fetched: its host is not on the public internet',
    ],
    ['a broken redirect', '/to-nowhere', 'could not be fetched: it redirects to an invalid address'],
    ['too many redirects', '/loop', 'could not be fetched: it redirects more than 3 times'],
    ['compressed content', '/packed.txt', 'could not be fetched: its host compressed the response'],
    [
      'an announced size above the limit',
      '/announced.bin',
      `could not be fetched: it has more than ${MAX} bytes`,
    ],
    ['more bytes than the limit', '/endless.bin', `could not be fetched: it has more than ${MAX} bytes`],
  ])('refuses %s', async (_, path, message) => {
    expect(await refused({ url: host.origin + path })).toEqual([{ field: 'url', message }])
  })

  test('requires the argument `name` if the address has no file name', async () => {
    expect(await refused({ url: `${host.origin}/` })).toEqual([
      { field: 'name', message: 'is required, because the address has no file name' },
    ])
    expect((await upload('/', { name: 'root.txt' })).structuredContent).toMatchObject({ name: 'root.txt' })
  })

  test.each([
    'http://client.test/a.txt',
    'ftp://client.test/a.txt',
    'file:///etc/passwd',
    'data:text/plain,x',
    'https://user:secret@client.test/a.txt',
    'client.test/a.txt',
    `https://client.test/${'a'.repeat(2_048)}`,
    '',
    7,
    null,
  ])('requests nothing from %s', async url => {
    const before = host.requests.length
    expect((await refused({ url })).map(({ field }) => field)).toEqual(['url'])
    expect(host.requests).toHaveLength(before)
  })

  test('gives up on a silent host', async () => {
    const { fetchFile } = service.core
    service.core.fetchFile = fileFetcher({
      resolve: async () => ['127.0.0.1'],
      isAllowed: () => true,
      ca: CERTIFICATE,
      timeout: 100,
    })
    try {
      expect(await refused({ url: `${host.origin}/silent.txt` })).toEqual([
        { field: 'url', message: 'could not be fetched: it took longer than 0.1 s' },
      ])
    } finally {
      service.core.fetchFile = fetchFile
    }
  })

  test('refuses a call if too many fetches of its space are waiting, but accepts calls of other spaces', async () => {
    const held: ServerResponse[] = []
    onHeld = res => void held.push(res)
    const { fetchQueue } = service.core
    service.core.fetchQueue = new FairQueue(FETCHES)
    try {
      const calls = Array.from({ length: 6 }, () => upload('/held', { name: 'held.txt' }))
      const first = await Promise.race(calls)
      expect(JSON.parse(first.content[0]!.text)).toMatchObject({ code: 'rate_limited' })
      const other = await service.createSpace()
      const theirs = toolClient(service, '/mcp/studio', await other.key('files_write'), '2025-11-25')
      const result = await theirs.call('upload_file_from_url', { url: `${host.origin}/logo.png` })
      expect(result.isError).toBeUndefined()
      await expect.poll(() => held.length).toBe(1)
      onHeld = res => void res.end('held')
      held[0]!.end('held')
      const results = await Promise.all(calls)
      expect(results.filter(({ isError }) => isError)).toHaveLength(1)
    } finally {
      service.core.fetchQueue = fetchQueue
    }
  })

  test('is refused above the storage quota', async () => {
    const { owner, subdomain } = space
    await owner.files.create({ subdomain, name: 'a.txt', encoding: 'text', content: 'x' })
    await withoutHistory(service.core.database, db =>
      db.updateTable('files').set({ size: rules.file.quota_bytes }).execute(),
    )
    const { isError, content } = await upload('/logo.png')
    expect(isError).toBe(true)
    expect(JSON.parse(content[0]!.text)).toMatchObject({ code: 'storage_quota_exceeded' })
  })
})

test.each([
  'https://127.0.0.1/a.txt',
  'https://[::1]/a.txt',
  'https://169.254.169.254/a.txt',
  'https://localhost/a.txt',
])('the fetcher of the service does not connect to %s', async url => {
  await expect(fileFetcher()(new URL(url), MAX)).rejects.toThrow('its host is not on the public internet')
})
