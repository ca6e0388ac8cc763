import { mkdtemp, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { watchDisk } from '../../server/database/protect-data.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-watched-'))
})
afterAll(() => rm(folder, { recursive: true }))

const freeBytes = async () => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

test('a disk is full if it has less free space than required, and its free bytes are known', async () => {
  const onChange = vi.fn<(hasSpace: boolean, free: number) => void>()
  const watch = watchDisk(folder, Number.MAX_SAFE_INTEGER, onChange)
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith(false, watch.free))
  expect(watch.hasSpace).toBe(false)
  expect(watch.free).toBeGreaterThan((await freeBytes()) / 2)
  watch.stop()
})

test.each([0, 1])('a disk with at least %d free bytes required has space', async floor => {
  const onChange = vi.fn<(hasSpace: boolean, free: number) => void>()
  const watch = watchDisk(folder, floor, onChange)
  await vi.waitFor(() => expect(watch.free).toBeDefined())
  expect([watch.hasSpace, onChange.mock.calls]).toEqual([true, []])
  watch.stop()
})

test('a disk that can’t be read does not count as full', async () => {
  const onChange = vi.fn<(hasSpace: boolean, free: number) => void>()
  const missing = path.join(folder, 'missing')
  const watch = watchDisk(missing, 1, onChange)
  // These reads begin after that of the watch, and so end after it.
  for (let n = 0; n < 20; n++) await expect(statfs(missing)).rejects.toThrow('ENOENT')
  expect([watch.hasSpace, watch.free, onChange.mock.calls]).toEqual([true, undefined, []])
  watch.stop()
})
