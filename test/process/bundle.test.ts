import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { Piscina } from 'piscina'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { BUILDS, isCurrent } from '../../server/builds.mjs'
import { run } from '../support/program.ts'

/** Starts a service with invalid settings. Returns its log, in which Node.js lists the modules that it loads. */
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

test('the threads that convert Markdown run a bundle without TypeScript', async () => {
  const bundle = new URL('../../server/dist/markdown.mjs', import.meta.url)
  const pool = new Piscina({ filename: bundle.href, minThreads: 1, maxThreads: 1 })
  onTestFinished(() => pool.destroy())
  expect(await pool.run({ id: 1, text: '*Hello*', kind: 'comment' })).toBe('<p><em>Hello</em></p>\n')
  expect(readFileSync(bundle, 'utf8')).not.toMatch(/from ['"][^'"]*\.ts['"]/)
  const folder = new URL('.', bundle)
  const newest = readdirSync(folder)
    .filter(name => readFileSync(new URL(name, folder), 'utf8').includes('new Piscina('))
    .toSorted((a, b) => statSync(new URL(b, folder)).mtimeMs - statSync(new URL(a, folder)).mtimeMs)[0]!
  expect(readFileSync(new URL(newest, folder), 'utf8')).toContain('server/dist/markdown.mjs')
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
