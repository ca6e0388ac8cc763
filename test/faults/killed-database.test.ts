import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder, query, serverPid, startTestServer, unfinishedFiles } from '../embedded/folders.ts'
import { isRunning } from '../liquid/process-info.ts'

/** Runs a program that starts the database. The program gets its own process group, as in a terminal. */
function program(name: string, folder: string): ChildProcess {
  const file = path.join(import.meta.dirname, '../embedded/programs', name)
  const child = spawn(process.execPath, [file, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('killing the process during writes loses no committed row', async () => {
  const folder = await newFolder()
  const committed: number[] = []
  for (const round of [1, 2, 3]) {
    const child = program('writer.ts', folder)
    const before = committed.length
    for await (const line of createInterface({ input: child.stdout! })) {
      committed.push(Number(line))
      if (committed.length === before + 40 * round) child.kill('SIGKILL')
    }
    expect(committed.length).toBeGreaterThanOrEqual(before + 40 * round)
  }
  const server = await startTestServer({ folder })
  const rows = await query<{ id: number }>(server, 'select id from row', 'written')
  const kept = new Set(rows.map(row => row.id))
  expect(committed.filter(id => !kept.has(id))).toEqual([])
})

test('the database server stops when the process that started it is killed', async () => {
  const folder = await newFolder()
  const child = program('writer.ts', folder)
  await once(child.stdout!, 'data')
  const pid = await serverPid(folder)
  expect(isRunning(pid)).toBe(true)
  child.kill('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('Ctrl+C does not end the database server, which runs until its parent process stops it', async () => {
  const child = program('interrupted.ts', await newFolder())
  const said: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    said.push(line)
    if (line === 'ready') process.kill(-child.pid!, 'SIGINT')
  }
  expect(said).toEqual(['ready', 'still works', 'stopped'])
})

test('an unexpected exit of the server is reported, and the server can start again', async () => {
  const folder = await newFolder()
  const server = await startTestServer({ folder })
  process.kill(await serverPid(folder), 'SIGKILL')
  expect(await server.died).toContain('SIGKILL')
  expect(await query(await startTestServer({ folder }), 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a requested stop of the server is not reported as an unexpected exit', async () => {
  const server = await startTestServer({ folder: await newFolder() })
  await server.stop()
  expect(await Promise.race([server.died, sleep(300, 'not reported')])).toBe('not reported')
})

/**
 * Starts the database in a new folder, and kills the process while the folder has unfinished files. Returns the folder,
 * or undefined if the start finished first.
 */
const killFirstStart = async () => {
  const folder = await newFolder()
  const child = program('writer.ts', folder)
  let isUp = false
  child.stdout!.once('data', () => {
    isUp = true
  })
  await expect
    .poll(async () => isUp || (await unfinishedFiles(folder)).length > 0, { interval: 5 })
    .toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  return (await unfinishedFiles(folder)).length > 0 ? folder : undefined
}

test('a start succeeds after the first start was killed', async () => {
  let folder = await killFirstStart()
  // On a busy machine, a start can finish before the test kills the process. If so, try again in a new folder.
  for (let attempt = 0; attempt < 5 && !folder; attempt++) folder = await killFirstStart()
  if (!folder) throw new Error('Every start finished before it was killed')
  const server = await startTestServer({ folder })
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await unfinishedFiles(folder)).toEqual([])
})
