import { execFileSync } from 'node:child_process'
import { statSync, utimesSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { BUILDS, isCurrent } from '../../server/builds.mjs'
import { run } from '../support/program.ts'

/** Returns the log of a service with invalid settings, to which Node.js adds which modules it loads. */
const start = async () => {
  const program = run('server/main.mjs', { PORT: 'none', NODE_DEBUG: 'esm' })
  expect(await program.end()).toBe(1)
  return program.log()
}

beforeAll(() => {
  if (!isCurrent(BUILDS.program)) execFileSync(process.execPath, [BUILDS.program.script])
})

test('a service runs its bundle without loading any TypeScript', async () => {
  const log = await start()
  expect(log).toContain('server/dist/run.mjs')
  expect(log).not.toMatch(/\.ts\b/)
})

test.each([
  'server/run.ts',
  'db/orm.ts',
  'facades/site/frame.js',
  'routers/core/rules.ts',
  'package-lock.json',
])('a service runs its sources if %s is newer than the bundle', async source => {
  const { atime, mtime } = statSync(source)
  const now = new Date()
  utimesSync(source, now, now)
  try {
    const log = await start()
    expect(log).toContain('server/run.ts')
    expect(log).not.toContain('server/dist/run.mjs')
  } finally {
    utimesSync(source, atime, mtime)
  }
})
