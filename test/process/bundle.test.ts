import { readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Piscina } from 'piscina'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../support/program.ts'

/** Starts a service with invalid settings. Returns its log, in which Node.js lists the modules that it loads. */
const start = async () => {
  const program = run('server/main.mjs', { PORT: 'none', NODE_DEBUG: 'esm' })
  expect(await program.end()).toBe(1)
  return program.log()
}

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

/** Creates a project whose program prints which of its files was loaded, with the starter of this project. */
const project = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-bundle-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = {
    'server/run.ts': "console.log('sources')",
    'db/database.ts': '',
    'facades/site/frame.js': '',
    'routers/api/rules.ts': '',
    'package-lock.json': '',
    'server/dist/run.mjs': "console.log('bundle')",
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  for (const name of ['server/main.mjs', 'routers/api/builds.mjs']) await cp(name, path.join(folder, name))
  const old = new Date(Date.now() - 60_000)
  for (const name of await readdir(folder, { recursive: true }))
    await utimes(path.join(folder, name), old, old)
  return folder
}

test.each([
  ['its bundle', null, 'bundle'],
  ['its sources if server/run.ts is newer than the bundle', 'server/run.ts', 'sources'],
  ['its sources if db/database.ts is newer than the bundle', 'db/database.ts', 'sources'],
  ['its sources if facades/site/frame.js is newer than the bundle', 'facades/site/frame.js', 'sources'],
  ['its sources if routers/api/rules.ts is newer than the bundle', 'routers/api/rules.ts', 'sources'],
  ['its sources if package-lock.json is newer than the bundle', 'package-lock.json', 'sources'],
])('a service runs %s', async (_, changed, loaded) => {
  const folder = await project()
  if (changed) await utimes(path.join(folder, changed), new Date(), new Date())
  const program = run(path.join(folder, 'server/main.mjs'), {})
  expect(await program.end()).toBe(0)
  expect(program.output()).toBe(`${loaded}\n`)
})
