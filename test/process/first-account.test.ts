import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type Program, run } from '../support/program.ts'

let folder: string
let port: number
let service: Program

const environment = () => ({ PORT: String(port), DATA_DIR: folder, DEMO: '0' })

const start = async () => {
  service = run('server/main.mjs', environment())
  await service.waitForOutput(/Dashboard {2}\S+[\s\S]*\n\n/)
}

const call = async (procedure: string, input: unknown) => {
  const response = await fetch(`http://127.0.0.1:${port}/trpc/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return response.status
}

/** Runs the command account-link. */
const accountLink = (...handles: string[]) =>
  run('server/main.mjs', environment(), ['account-link', ...handles])

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-first-'))
  port = await freePort()
  await start()
})
afterAll(async () => {
  await service.end('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const password = 'correct horse battery'
const setUpToken = (text: string) => /\/admin\/set-up#(\S{43})/.exec(text)?.[1]

test('each start of a service without accounts prints a new link that creates the first account', async () => {
  const old = setUpToken(service.output())
  await service.end('SIGTERM')
  await start()
  const set_up = setUpToken(service.output())
  expect(await call('accounts.signUp', { handle: 'first', password, set_up: old })).toBe(404)
  expect(await call('accounts.signUp', { handle: 'first', password, set_up })).toBe(200)
  expect(service.log()).not.toContain(set_up)
})

test('account-link creates a link to set a new password while the service runs', async () => {
  const command = accountLink('@FIRST')
  expect(await command.end()).toBe(0)
  const token = /\/admin\/link#(\S{43})/.exec(command.output())?.[1]
  expect(command.output()).toContain('Link for first to set a new password')
  expect(await call('accounts.resetPassword', { token, password: 'a new horse' })).toBe(200)
  expect(await call('sessions.create', { handle: 'first', password: 'a new horse' })).toBe(200)
})

test.each([
  [['nobody'], /no account with the handle nobody/],
  [[], /\.\/space-site account-link HANDLE/],
])('account-link with the arguments %j creates no link and explains why', async (handles, words) => {
  const command = accountLink(...handles)
  expect(await command.end()).toBe(1)
  expect(command.log()).toMatch(words)
  expect(command.output()).toBe('')
})

test('account-link explains that a data folder has no database', async () => {
  const command = run('server/main.mjs', { DATA_DIR: path.join(folder, 'none') }, ['account-link', 'first'])
  expect(await command.end()).toBe(1)
  expect(command.log()).toMatch(/^There is no database in .*\n$/)
  expect(command.output()).toBe('')
})

test('a service with accounts prints no link when it starts', async () => {
  await service.end('SIGTERM')
  await start()
  expect(service.output()).not.toContain('set-up')
})
