import { spawn } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { EmbeddedPostgresError } from '../../db/embedded/error.ts'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { newFolder, query, serverPid, startTestServer } from './folders.ts'

test('a second start in the same folder is rejected, and the error names the process to stop', async () => {
  const folder = await newFolder()
  const server = await startTestServer({ folder })
  const second = startEmbeddedPostgres({ folder })
  await expect(second).rejects.toThrow(EmbeddedPostgresError)
  await expect(second).rejects.toThrow(
    `in ${folder} is in use by a running server (process ${await serverPid(folder)})`,
  )
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('if two servers start in the same new folder at the same time, one start is rejected', async () => {
  const folder = await newFolder()
  const both = await Promise.allSettled([1, 2].map(() => startTestServer({ folder })))
  const [won, lost] = both.sort((a, b) => a.status.localeCompare(b.status))
  expect(lost).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('in use') } })
  expect(won?.status === 'fulfilled' && (await query(won.value, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('a server in another container is detected by its socket, because its process is not visible', async () => {
  const folder = await newFolder()
  await (await startTestServer({ folder })).stop()
  const other = createServer(socket => socket.destroy())
  await new Promise<void>(resolve => other.listen(path.join(folder, 'data', '.s.PGSQL.5432'), resolve))
  onTestFinished(() => void other.close())
  await expect(startEmbeddedPostgres({ folder })).rejects.toThrow('another container')
})

test('a start waits for a server that is shutting down', async () => {
  const folder = await newFolder()
  const first = await startTestServer({ folder })
  const stopping = first.stop()
  const second = await startTestServer({ folder })
  await stopping
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a stale pid file with the pid of another program does not block a start', async () => {
  const folder = await newFolder()
  const data = path.join(folder, 'data')
  const first = await startTestServer({ folder })
  const left = await readFile(path.join(data, 'postmaster.pid'), 'utf8')
  await first.stop()

  // Put the pid of a running process of the same user into the file. PostgreSQL itself would then refuse to start.
  const { uid, gid } = await stat(data)
  const unrelated = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
  onTestFinished(() => void unrelated.kill())
  await writeFile(path.join(data, 'postmaster.pid'), left.replace(/^\d+/, String(unrelated.pid)))
  const server = await startTestServer({ folder })
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
})
