import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { creationLimits, rules } from '../../routers/api/rules.ts'
import { maxArchiveSize } from '../../routers/content/transfer/archive-format.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { pack, unpack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

/** Fewer pages than usual, so that an archive above the limit can be sent quickly. */
const fewPages = { ...creationLimits, pages: 10 }
const limit = maxArchiveSize(fewPages)
const service = useTestService({ creationLimits: fewPages })
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

test('an import refuses an archive with a Content-Length above the limit before the archive arrives', async () => {
  const { status, text } = await requestHost(service, 'localhost', `/transfer/${space.subdomain}`, {
    method: 'POST',
    headers: { cookie: mover.cookie, 'content-length': String(limit + 1) },
  })
  expect([status, JSON.parse(text).code]).toEqual([413, 'payload_too_large'])
})

test('an import refuses an archive without a Content-Length once it exceeds the limit', async () => {
  const piece = new Uint8Array(1_048_576)
  const pieces = function* () {
    for (let size = 0; size <= limit; size += piece.length) yield piece
  }
  const { status, body } = await mover.upload(space.subdomain, ReadableStream.from(pieces()))
  expect([status, body.code]).toEqual([413, 'payload_too_large'])
})

test('large files can be exported and imported, and no archive stays on the disk', async () => {
  // Use a separate folder, because other processes create archives in the usual one.
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'space-site-test-transfer-'))
  onTestFinished(() => rm(temporary, { recursive: true, force: true }))
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const contents = Array.from({ length: 3 }, (_, n) => Buffer.alloc(rules.file.max_bytes, `${n} is it. `))
  const archive = await pack(
    ...contents.map((content, n) => ({ path: `files/${n}.bin`, content, options: { compress: false } })),
  )
  expect((await mover.put(space.subdomain, archive)).status).toBe(200)
  const files = await unpack(await mover.archive(space.subdomain))
  const received = [...files].filter(([path]) => path.startsWith('files/'))
  for (const [path, bytes] of received)
    expect(bytes.equals(contents[Number(/(\d)\.bin$/.exec(path)![1])]!)).toBe(true)
  expect(files.size).toBe(contents.length + 1)
  await expect.poll(() => readdir(temporary)).toEqual([])
})
