/**
 * A setup file that writes down which functions of the product each test file calls, so that a mutant is shown only to
 * the tests that can notice it. Functions that run in other processes are not seen.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')

/** One session per process: the test files of a process share its modules, and so its counters. */
const holder = globalThis as { coverage?: Promise<Session> }
const start = async () => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return session
}
holder.coverage ??= start()
const session = await holder.coverage

let began: number
beforeAll(async () => {
  // Reading resets the counters.
  await session.post('Profiler.takePreciseCoverage')
  began = performance.now()
})

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called: Record<string, string[]> = {}
  for (const { url, functions } of result) {
    const file = path.relative(ROOT, url.replace('file://', ''))
    if (!/^(?:db|routers|facades|server)\//.test(file)) continue
    const names = functions
      .filter(({ ranges }) => ranges[0]!.count > 0)
      .map(({ functionName }) => functionName)
    if (names.length > 0) called[file] = [...new Set(names)]
  }
  const test = path.relative(ROOT, expect.getState().testPath!)
  const folder = process.env.COVERED_FOLDER!
  mkdirSync(folder, { recursive: true })
  const entry = { test, ms: Math.round(performance.now() - began), called }
  writeFileSync(path.join(folder, `${test.replaceAll('/', '+')}.json`), JSON.stringify(entry))
})
