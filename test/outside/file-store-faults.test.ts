import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createAccount } from '../faults/support/account.ts'
import { call } from '../faults/support/http.ts'
import { startProgram } from '../faults/support/service.ts'
import { freePort } from '../support/program.ts'
import { requestHost } from '../support/request-host.ts'
import { startTestService, type TestService, type TestSpace } from '../support/test-service.ts'
import { signInMover } from '../transfer/support/browser-session.ts'
import { startFaultyProxy } from './support/faulty-proxy.ts'
import { fileStoreAt, S3_KEY, type S3Server, startS3Server } from './support/s3-server.ts'

type Proxy = Awaited<ReturnType<typeof startFaultyProxy>>

let server: S3Server
let proxy: Proxy
let service: TestService
let space: TestSpace
beforeAll(async () => {
  server = await startS3Server()
  proxy = await startFaultyProxy(server.port)
  service = await startTestService({ ...fileStoreAt(proxy.port), metricsPort: await freePort() })
  space = await service.createSpace()
})
beforeEach(() => becomesReady())
afterEach(() => {
  proxy.set({})
})
afterAll(async () => {
  await service?.stop()
  proxy?.stop()
  await server?.remove()
})

const MIB = 1_048_576
/** Returns a string that no other call has returned, so that its bytes are neither cached nor stored yet. */
const textOf = (size: number) => crypto.randomUUID().padEnd(size, 'abcdefgh')
const upload = (content: string, to = space) =>
  to.api.post<{ id: string; code?: string }>('/files', { name: 'a.bin', content, encoding: 'text' })
const get = (id: string, from = service, headers: Record<string, string> = {}) =>
  requestHost(from, `${id}.files.localhost`, '/', { headers })
const countFiles = async () => (await space.api.get<{ data: unknown[] }>('/files')).body.data.length
const readiness = async () => {
  const response = await fetch(`${service.root}/readyz`)
  return { status: response.status, body: await response.json() }
}
const metric = async (name: string) => {
  const text = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text()
  return Number(new RegExp(`^space_site_${name} (.+)$`, 'm').exec(text)?.[1])
}
const isReady = { status: 200, body: { status: 'ready' } }
/**
 * Waits until the service is ready. After a test has stopped the store, the service takes a while to notice that the
 * store is back.
 */
const becomesReady = async () => {
  await expect.poll(readiness).toEqual(isReady)
}
const isMissing = { status: 200, body: { status: 'ready', missing: ['file store'] } }
const isRefused = (response: { status: number; headers: Headers; body: { code?: string } }) => {
  expect([response.status, response.body.code]).toEqual([503, 'unavailable'])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe('while the file store is down', () => {
  test('requests that need bytes get a 503, all others work, and nothing is lost', async () => {
    const content = textOf(MIB)
    const { id } = (await upload(content)).body
    const before = await countFiles()
    await space.api.post('/pages', { slug: 'home', kind: 'static', html: '<p>Here</p>' })
    const mover = await signInMover(service)
    const { subdomain, api } = await mover.space()
    await api.post('/files', { name: 'a.txt', content: 'x', encoding: 'text' })
    await server.kill()

    isRefused(await upload(textOf(100)))
    expect((await mover.download(subdomain)).status).toBe(503)
    isRefused(await space.api.patch(`/files/${id}`, { content: textOf(100), encoding: 'text' }))
    const read = await get(id)
    expect(read.status).toBe(503)
    expect(Number(read.headers['retry-after'])).toBeGreaterThan(0)
    expect(read.headers).not.toHaveProperty('etag')
    expect(read.headers).not.toHaveProperty('content-disposition')
    await expect.poll(readiness).toEqual(isMissing)
    expect(await metric('file_store_up')).toBe(0)
    expect(await metric('file_store_failures_total')).toBeGreaterThan(0)
    isRefused(await upload(textOf(100)))

    expect(await countFiles()).toBe(before)
    expect((await requestHost(service, `${id}.files.localhost`, '/', { method: 'HEAD' })).status).toBe(200)
    expect((await requestHost(service, `${space.subdomain}.sites.localhost`, '/home')).status).toBe(200)
    expect((await space.api.put('/data/a', { value: 1 })).status).toBe(200)
    expect((await space.api.patch(`/files/${id}`, { name: 'b.bin' })).status).toBe(200)
    const other = await space.api.post<{ id: string }>('/pages', { slug: 'other', html: '<p>x</p>' })
    expect(other.status).toBe(201)

    await server.start()
    await expect.poll(readiness).toEqual(isReady)
    expect((await get(id)).text).toBe(content)
    expect((await upload(textOf(100))).status).toBe(201)
    expect(service.log.filter(({ msg }) => String(msg).startsWith('The file store'))).toMatchObject([
      { msg: 'The file store does not respond', level: 50 },
      { msg: 'The file store responds again' },
    ])
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })

  test('a store that hangs delays only requests that need bytes, and only for some seconds', async () => {
    const { id } = (await upload(textOf(MIB))).body
    server.signal('SIGSTOP')
    onTestFinished(() => server.signal('SIGCONT'))
    const waiting = [upload(textOf(100)), get(id)] as const
    expect((await space.api.get('/pages')).status).toBe(200)
    await expect.poll(readiness).toEqual(isMissing)
    isRefused(await upload(textOf(100)))
    isRefused(await waiting[0])
    expect((await waiting[1]).status).toBe(503)
    server.signal('SIGCONT')
    await expect.poll(readiness).toEqual(isReady)
    expect((await get(id)).status).toBe(200)
  })

  test('a service starts anyway, and uses the store once it is up', async () => {
    await server.kill()
    const late = await startTestService(fileStoreAt(server.port))
    onTestFinished(() => late.stop())
    const other = await late.createSpace()
    isRefused(await upload(textOf(100), other))
    await server.start()
    await expect.poll(async () => (await upload(textOf(100), other)).status).toBe(201)
  })
})

describe('a connection that breaks', () => {
  test('during an upload causes a 503, and the file is not created', async () => {
    const before = await countFiles()
    proxy.set({ cutRequestAfter: 3 * MIB })
    isRefused(await upload(textOf(9 * MIB)))
    proxy.set({})
    expect(await countFiles()).toBe(before)
    expect((await upload(textOf(9 * MIB))).status).toBe(201)
  })

  test('during a download never makes the file look complete', async () => {
    const content = textOf(9 * MIB)
    const { id } = (await upload(content)).body
    proxy.set({ cutResponseAfter: 600_000 })
    expect((await get(id)).status).toBe(503)
    proxy.set({ delay: 20 })
    const [response] = (await once(
      request({
        host: '127.0.0.1',
        port: service.port,
        headers: { host: `${id}.files.localhost` },
        agent: false,
      }).end(),
      'response',
    )) as [IncomingMessage]
    await once(response, 'readable')
    await server.kill()
    await expect(response.resume().toArray()).rejects.toThrow('aborted')
    proxy.set({})
    await server.start()
    await expect.poll(async () => (await get(id)).text === content).toBe(true)
  })

  test('several times during a download loses nothing, because the rest is requested again', async () => {
    const content = textOf(9 * MIB)
    const { id } = (await upload(content)).body
    proxy.set({ cutResponseAfter: 3.5 * MIB })
    expect((await get(id)).text === content).toBe(true)
  })

  test('during an upload does no harm if it breaks only once, because the service repeats the request', async () => {
    const content = textOf(MIB / 2)
    proxy.set({ cutRequestAfter: 100_000, cutRequests: 1 })
    const { status, body } = await upload(content)
    expect(status).toBe(201)
    expect((await get(body.id)).text).toBe(content)
  })
})

test('uploads and downloads work with a slow store', async () => {
  const content = textOf(2 * MIB)
  proxy.set({ delay: 20 })
  const { status, body } = await upload(content)
  expect(status).toBe(201)
  expect((await get(body.id)).text).toBe(content)
})

test('with a wrong secret for the store, an upload gets a 503, and the log says why', async () => {
  const credentials = { ...S3_KEY, secretAccessKey: 'wrong' }
  const wrong = await startTestService(fileStoreAt(server.port, { credentials }))
  onTestFinished(() => wrong.stop())
  isRefused(await upload(textOf(100), await wrong.createSpace()))
  await expect
    .poll(() => wrong.log.find(({ msg }) => msg === 'The file store does not respond'))
    .toMatchObject({ err: { message: expect.stringContaining('refuses the access key') } })
})

describe('an object', () => {
  const stored = async (size: number) => {
    const content = textOf(size)
    const { id } = (await upload(content)).body
    const { digest } = await service.core.database
      .selectFrom('files')
      .where('id', '=', id)
      .select('digest')
      .executeTakeFirstOrThrow()
    const names = await server.objects()
    const name = names.find(one => one.includes(Buffer.from(digest).toString('hex')))!
    return { id, content, name }
  }
  const lost = () =>
    service.log.filter(({ msg }) => msg === 'An object in the file store is missing or damaged')

  for (const size of [1_000, MIB])
    test(`of ${size} bytes that is missing or damaged is reported and never served`, async () => {
      const { id, content, name } = await stored(size)
      const before = { log: lost().length, metric: await metric('file_store_lost_total') }
      await server.overwrite(name, content.replace('abc', 'abd'))
      expect((await get(id)).status).toBe(503)
      await server.overwrite(name, content.slice(0, -1))
      expect((await get(id)).status).toBe(503)
      await server.delete(name)
      expect((await get(id)).status).toBe(503)
      expect(lost().slice(before.log)).toMatchObject([
        { object: name.replace('live/', ''), fault: 'damaged' },
        { fault: 'damaged' },
        { fault: 'missing' },
      ])
      expect(await metric('file_store_lost_total')).toBe(before.metric + 3)
      await server.overwrite(name, content)
      expect((await get(id)).text).toBe(content)
    })

  test('that is long and damaged near its end aborts the download, so the file never looks complete', async () => {
    const { id, content, name } = await stored(5 * MIB)
    await server.overwrite(name, `${content.slice(0, -1)}!`)
    await expect(get(id)).rejects.toThrow('aborted')
    await expect(get(id, service, { 'accept-encoding': 'gzip' })).rejects.toThrow('aborted')
  })
})

test('a process killed after writing an object but not its row leaves no file; the object is deleted later', async () => {
  const { fileStore } = fileStoreAt(server.port, { prefix: 'killed' })
  const program = await startProgram({
    FILE_STORE_URL: fileStore.url,
    FILE_STORE_KEY_ID: S3_KEY.accessKeyId,
    FILE_STORE_SECRET: S3_KEY.secretAccessKey,
  })
  onTestFinished(() => program.remove())
  const account = await createAccount(program.port, 'killed')
  const files = { path: `/v1/spaces/${account.subdomain}/files`, headers: account.key }
  const body = JSON.stringify({ name: 'a.txt', content: 'half', encoding: 'text' })

  const holder = new Client({
    host: `${program.folder}/data`,
    user: 'space_site',
    port: 5432,
    database: 'space_site',
  })
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin; select from spaces for update')
  const uploading = call(program.port, { ...files, body })
  await expect.poll(() => server.objects('killed/')).toHaveLength(1)
  await program.killAll()
  expect((await uploading).status).toBe(0)

  await program.start()
  expect(JSON.parse((await call(program.port, files)).text)).toMatchObject({ data: [] })
  expect(await server.objects('killed/')).toHaveLength(1)
  await program.query(`update unused_objects set since = since - interval '25 hours'`)
  await expect.poll(() => server.objects('killed/')).toEqual([])
  expect((await call(program.port, { ...files, body })).status).toBe(201)
})
