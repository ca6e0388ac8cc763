import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ask, freshFolder, serverPid, started, unfinished } from './folders.ts'

/** A program that starts the database, in a process group of its own as a terminal would run it. */
function program(name: string, folder: string): ChildProcess {
  const file = path.join(import.meta.dirname, 'programs', name)
  const child = spawn(process.execPath, [file, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('no committed row is lost when the process is killed while it writes', async () => {
  const folder = await freshFolder()
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
  const server = await started({ folder })
  const rows = await ask<{ id: number }>(server, 'select id from row', 'written')
  const kept = new Set(rows.map(row => row.id))
  expect(committed.filter(id => !kept.has(id))).toEqual([])
})

test('the server goes when its process is killed', async () => {
  const folder = await freshFolder()
  const child = program('writer.ts', folder)
  await once(child.stdout!, 'data')
  const pid = await serverPid(folder)
  expect(process.kill(pid, 0)).toBe(true)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 })
})

test('Ctrl+C at the terminal leaves the server to the process, which still needs it', async () => {
  const child = program('interrupted.ts', await freshFolder())
  const said: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    said.push(line)
    if (line === 'ready') process.kill(-child.pid!, 'SIGINT')
  }
  expect(said).toEqual(['ready', 'still answers', 'stopped'])
})

test('says so when the server ends by itself, and starts again', async () => {
  const folder = await freshFolder()
  const server = await started({ folder })
  process.kill(await serverPid(folder), 'SIGKILL')
  expect(await server.died).toContain('SIGKILL')
  expect(await ask(await started({ folder }), 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a stop that was asked for is no death', async () => {
  const server = await started({ folder: await freshFolder() })
  await server.stop()
  expect(await Promise.race([server.died, sleep(300, 'nothing said')])).toBe('nothing said')
})

test('a first start that was killed half-way is made good by the next', async () => {
  const folder = await freshFolder()
  const child = program('writer.ts', folder)
  await expect.poll(() => unfinished(folder), { timeout: 10_000, interval: 5 }).not.toEqual([])
  child.kill('SIGKILL')
  await once(child, 'exit')
  const server = await started({ folder })
  expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await unfinished(folder)).toEqual([])
})
