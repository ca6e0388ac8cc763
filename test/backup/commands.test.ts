import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { copyDatabase } from '../support/database.ts'
import { freePort, run } from '../support/program.ts'
import { startTestService } from '../support/test-service.ts'
import { emptyDatabase, newFolder } from './support/databases.ts'

/** Runs a command until it ends. */
const command = async (name: string, environment: Record<string, string>, ...args: string[]) => {
  const program = run('server/main.mjs', environment, [name, ...args])
  const code = await program.end()
  const lines = program.log().trim().split('\n').filter(Boolean)
  return { code, text: program.log(), lines }
}

test('the commands move a running embedded service to another database', async () => {
  const folder = await newFolder()
  const DATA_DIR = path.join(folder, 'data')
  const file = path.join(folder, 'all.backup')
  const service = run('server/main.mjs', { DATA_DIR, PORT: String(await freePort()), RENDER_PROCESSES: '1' })
  onTestFinished(() => void service.end('SIGKILL'))
  await service.waitForOutput(/Demo site/)

  const backup = await command('backup', { DATA_DIR }, file)
  expect(backup).toMatchObject({ code: 0 })
  const log = backup.lines.map(line => JSON.parse(line) as { msg: string; phase?: string })
  expect(log.flatMap(({ phase }) => phase ?? [])).toEqual(['writing', 'verifying'])
  expect(log.at(-1)!.msg).toMatch(
    /^Backed up \d+ rows of \d+ tables to .*all\.backup \([\d.]+ MiB, verified\)\.$/,
  )
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const refused = await command('restore', { DATA_DIR }, file, '--replace')
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('in use by a running server') })

  const DATABASE_URL = await emptyDatabase()
  expect(await command('restore', { DATABASE_URL }, file)).toMatchObject({ code: 0 })

  await service.end('SIGTERM')
  const replaced = await command('restore', { DATA_DIR }, file, '--replace')
  expect(replaced).toMatchObject({ code: 0 })
  expect((await readdir(folder)).toSorted()).toEqual(['all.backup', 'data'])
}, 300_000)

test('a backup logs the remaining time, estimated from its progress so far', async () => {
  const file = path.join(await newFolder(), 'all.backup')
  const DATABASE_URL = await copyDatabase(inject('database'))
  const service = await startTestService({ databaseUrl: DATABASE_URL })
  const { api } = await service.createSpace()
  // These bytes can't be compressed, so verifying them takes several steps.
  const content = randomBytes(500_000).toString('base64')
  expect((await api.post('/files', { name: 'a.bin', content, encoding: 'base64' })).status).toBe(201)
  await service.stop()
  // This clock advances ten seconds with each reading, so that each step takes long enough to be logged.
  const clock = 'let now = 0; performance.now = () => (now += 10_000)'
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(clock)}`
  const { code, lines } = await command('backup', { DATABASE_URL, NODE_OPTIONS }, file)
  expect(code).toBe(0)
  type Step = { phase?: string; done: number; total: number; secondsLeft?: number }
  const steps = lines.map(line => JSON.parse(line) as Step)
  for (const phase of ['writing', 'verifying']) {
    const logged = steps.filter(step => step.phase === phase)
    const expected = logged.map(({ done, total }, index) =>
      index === 0 || done === 0 ? undefined : Math.ceil((index * 10 * (total - done)) / done),
    )
    expect(logged.map(({ secondsLeft }) => secondsLeft)).toEqual(expected)
    expect(expected.some(seconds => seconds !== undefined && seconds > 0)).toBe(true)
  }
})

test.each([
  ['backup', []],
  ['restore', ['a', '--force']],
])('with wrong arguments, %s prints its usage', async (name, args) => {
  expect(await command(name, {}, ...args)).toMatchObject({
    code: 1,
    text: expect.stringContaining(`Usage: ./space-site ${name} FILE`),
  })
})

test('the backup command does not create a database if there is none', async () => {
  const folder = await newFolder()
  const answer = await command('backup', { DATA_DIR: path.join(folder, 'none') }, 'x.backup')
  expect(answer).toMatchObject({ code: 1, text: expect.stringContaining('There is no database in') })
  expect(await readdir(folder)).toEqual([])
})
