import { expect, test } from 'vitest'
import { RendererBusyError } from '../../routers/api/renderer.ts'
import { LatestOnly } from '../../routers/content/previews/latest-only.ts'

/** Returns a task that runs until the test calls `end`, and a flag that says whether it has started. */
const work = () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const begun = { yes: false }
  const run = () => {
    begun.yes = true
    return promise
  }
  return { run, end: resolve, begun }
}

test('only one preview of an account runs at a time, and only the latest preview of each editor waits', async () => {
  const newest = new LatestOnly()
  const [first, older, other, newer] = [work(), work(), work(), work()]
  const results = Promise.all([
    newest.run('ann', 'page', first.run),
    newest.run('ann', 'page', older.run),
    newest.run('ann', 'part', other.run),
    newest.run('ann', 'page', newer.run),
  ])
  expect([first, older, other, newer].map(({ begun }) => begun.yes)).toEqual([true, false, false, false])
  for (const [name, each] of Object.entries({ first, other, newer })) each.end(name)
  expect(await results).toEqual(['first', null, 'other', 'newer'])
  expect(older.begun.yes).toBe(false)
})

test('previews of different accounts do not wait for each other', async () => {
  const newest = new LatestOnly()
  const endless = work()
  void newest.run('ann', 'page', endless.run)
  expect(await newest.run('ben', 'page', async () => 'shown')).toBe('shown')
})

test('a preview that fails does not keep the next one from starting', async () => {
  const newest = new LatestOnly()
  const failing = newest.run('ann', 'page', () => Promise.reject(new Error('broken')))
  const next = newest.run('ann', 'page', async () => 'shown')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('shown')
})

test('only a limited number of editors of one account can wait for a preview', async () => {
  const newest = new LatestOnly()
  const first = work()
  const running = newest.run('ann', 'running', first.run)
  const waiting = Array.from({ length: 8 }, (_, number) =>
    newest.run('ann', `editor ${number}`, async () => number),
  )
  await expect(newest.run('ann', 'one more', async () => '')).rejects.toThrow(RendererBusyError)
  first.end('')
  await running
  expect(await Promise.all(waiting)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})
