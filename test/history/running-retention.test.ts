import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { DUE, type Retention, startRetention } from '../../routers/content/history/retention.ts'
import { useQuietService } from '../support/quiet-service.ts'
import type { TestSpace } from '../support/test-service.ts'

const quiet = useQuietService()
let retention: Retention
let errors: unknown[]
/** Begins a pass, as the timer does every ten seconds. */
let pass: () => void

/** Starts trimming histories. Passes begin only when a test calls `pass`. */
const start = (limits: Parameters<typeof startRetention>[1]) => {
  const timer = vi.spyOn(globalThis, 'setInterval').mockImplementation((work: () => void) => {
    pass = work
    return setTimeout(() => {}, 0)
  })
  errors = []
  retention = startRetention(quiet.service.core.database, limits, error => errors.push(error))
  timer.mockRestore()
}

afterEach(() => retention.stop())

const db = () => quiet.service.core.database
const idOf = async ({ subdomain }: TestSpace) =>
  (await db().selectFrom('spaces').where('subdomain', '=', subdomain).select('id').executeTakeFirstOrThrow())
    .id
const count = async (table: 'blobs' | 'changes', id: string) =>
  Number(
    (
      await sql<{ n: string }>`select count(*) as n from ${sql.table(table)} where space_id = ${id}`.execute(
        db(),
      )
    ).rows[0]!.n,
  )
const write = async (space: TestSpace, times: number) => {
  for (let n = 0; n < times; n++) await space.api.put('/data/a', { value: `${n} of ${times}` })
}

test('the bytes of an erased file are deleted in the next pass, also if an earlier pass has just deleted others', async () => {
  start({ days: 90, versions: 20, bytes: 1_000_000_000 })
  const space = await quiet.service.createSpace()
  const { subdomain, owner } = space
  const id = await idOf(space)
  quiet.service.core.onErase = retention.noteErasure
  for (const key of ['first', 'second']) {
    const file = { name: `${key}.txt`, content: `of ${key}`, encoding: 'text' }
    const { id: thing } = (await space.api.post<{ id: string }>('/files', file)).body
    await space.api.delete(`/files/${thing}`)
    const [deletion] = (await owner.history.list({ subdomain, thing })).changes
    await owner.history.erase({ subdomain, change_id: deletion!.id })
    expect(await count('blobs', id)).toBe(1)
    pass()
    await expect.poll(() => count('blobs', id)).toBe(0)
  }
  expect(errors).toEqual([])
})

test('each pass trims the next five spaces, and starts over after the last one', async () => {
  // Each item keeps five changes if the history is too large.
  start({ days: 90, versions: 20, bytes: 1 })
  const spaces: TestSpace[] = []
  for (let n = 0; n < 7; n++) spaces.push(await quiet.service.createSpace())
  const ids = await Promise.all(spaces.map(idOf))
  await Promise.all(spaces.map(space => write(space, 6)))
  const trimmed = async () => {
    let n = 0
    for (const id of ids) if ((await count('changes', id)) === 5) n += 1
    return n
  }
  expect(await trimmed()).toBe(0)
  const passes = Math.ceil((await db().selectFrom('space_names').select('id').execute()).length / 5)
  for (let n = 0; n < passes; n++) pass()
  await expect.poll(trimmed).toBe(7)
  // The last pass may not have ended, and then trims one of these spaces again.
  await Promise.all(spaces.map(space => write(space, 1)))
  for (let n = 0; n < passes; n++) pass()
  await expect.poll(trimmed).toBe(7)
  expect(errors).toEqual([])
})

test('a pass also trims the spaces with many writes, and goes on if a space was deleted meanwhile', async () => {
  start({ days: 90, versions: 20, bytes: 1 })
  const spaces: TestSpace[] = []
  for (let n = 0; n < 12; n++) spaces.push(await quiet.service.createSpace())
  const ids = await Promise.all(spaces.map(idOf))
  await Promise.all(spaces.map(space => write(space, 6)))
  for (const id of ['2222222222222222', ...ids]) for (let n = 0; n < DUE.writes; n++) retention.note(id)
  pass()
  const left = async () => {
    const counts = await Promise.all(ids.map(id => count('changes', id)))
    return counts.filter(count => count !== 5)
  }
  await expect.poll(left).toEqual([])
  expect(errors).toEqual([])
})
