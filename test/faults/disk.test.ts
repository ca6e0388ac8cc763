import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, type TestAccount } from './support/account.ts'
import { call } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'

const MIB = 1_048_576

let disk: string
let isMounted: boolean
let service: ServiceProcess
let account: TestAccount

const freeBytes = async () => {
  const { bavail, bsize } = await statfs(disk)
  return bavail * bsize
}

// As root, mount a small disk. Otherwise, set the service's minimum of free space close to the current free space.
beforeAll(async () => {
  disk = await mkdtemp(path.join(os.tmpdir(), 'space-site-disk-'))
  isMounted = await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]).then(
    () => true,
    () => false,
  )
  const floor = isMounted ? 100 : Math.floor((await freeBytes()) / MIB) - 400
  service = await startProgram({ MIN_FREE_DISK_MIB: String(floor) }, path.join(disk, 'service'))
  account = await createAccount(service.port, 'attacker')
})
afterAll(async () => {
  await service.remove()
  if (isMounted) await promisify(execFile)('umount', [disk])
  await rm(disk, { recursive: true, force: true })
})

const recordPath = () => `/v1/spaces/${account.subdomain}/data/kept`

const write = (value: number) =>
  call(service.port, {
    method: 'PUT',
    path: recordPath(),
    headers: account.key,
    body: JSON.stringify({ value }),
  })

const expectRead = async (value: number) => {
  const { status, text } = await call(service.port, { path: recordPath(), headers: account.key })
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ value })
}

/** Repeats a write until it gets the given status. */
const expectWrites = async (status: number, value: number) => {
  let reply = await write(value)
  for (const end = Date.now() + 60_000; reply.status !== status && Date.now() < end; await sleep(250))
    reply = await write(value)
  expect(reply.status).toBe(status)
  return reply
}

test('without disk space, writes are refused and reads succeed; writes work again once there is space', async () => {
  expect((await write(1)).status).toBe(200)
  const filler = path.join(disk, 'filler')
  // Fill a mounted disk completely. On a shared disk, go only 0.7 GB below the service's minimum.
  const size = isMounted ? await freeBytes() : 1_100 * MIB
  await fill(filler, size)
  const refused = await expectWrites(503, 2)
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'unavailable' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // Poll, because the database can run out of space before the service checks the disk again.
  await expect
    .poll(() => call(service.port, { path: '/readyz' }), { timeout: 60_000 })
    .toMatchObject({ status: 503, text: expect.stringContaining('disk') as string })
  const { value } = JSON.parse(
    (await call(service.port, { path: recordPath(), headers: account.key })).text,
  ) as { value: number }
  for (let n = 0; n < 10; n++, await sleep(100)) await expectRead(value)

  await rm(filler)
  await expectWrites(200, 3)
  await expectRead(3)
  expect(service.log()).not.toContain('"msg":"fault"')
})

const fill = async (file: string, size: number) => {
  const piece = Buffer.alloc(4 * MIB)
  try {
    for (let done = 0; done < size; done += piece.length) await writeFile(file, piece, { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
