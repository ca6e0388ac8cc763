import { spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { deleteAbandonedFiles } from '../../facades/transfer/slots.ts'
import { beforeStatement, recordStatements } from '../support/statements.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { pack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
/** The temporary folder of the service during the test. */
let temporary: string
beforeEach(async () => {
  space = await mover.space()
  await space.api.post('/pages', { slug: 'home', html: 'x' })
  temporary = await mkdtemp(path.join(os.tmpdir(), 'space-site-test-transfer-'))
  onTestFinished(() => rm(temporary, { recursive: true, force: true }))
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
})

/**
 * Sends a request, and closes its connection before a statement is sent. Resolves when the service has noticed that and
 * has ended its work.
 */
const closeBefore = async (statement: RegExp, query: string, body?: Buffer) => {
  const client = new AbortController()
  let response: ServerResponse | undefined
  const onRequest = (message: unknown) => {
    response = (message as { response: ServerResponse }).response
  }
  subscribe('http.server.request.start', onRequest)
  let isClosed = false
  beforeStatement(statement, async () => {
    const closed = once(response!, 'close')
    client.abort()
    await closed
    isClosed = true
  })
  const sent = fetch(`${service.root}/transfer/${space.subdomain}${query}`, {
    method: body ? 'POST' : 'GET',
    headers: { cookie: mover.cookie },
    body: body ? new Uint8Array(body) : null,
    signal: client.signal,
  })
  await expect(sent).rejects.toThrow('aborted')
  unsubscribe('http.server.request.start', onRequest)
  await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 60_000 })
  await vi.waitFor(async () => expect(await readdir(temporary)).toEqual([]), { timeout: 60_000 })
  expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
}

const slugs = async () => {
  const { body } = await space.api.get<{ data: { slug: string }[] }>('/pages')
  return body.data.map(({ slug }) => slug)
}

/** Matches the statement that checks whether the caller participates in the space. */
const CHECKS_CALLER = /"participants"/

test('an import whose client has gone does not read the archive', async () => {
  const archive = await pack({ path: 'pages/new.html', content: 'x' })
  const end = recordStatements()
  await closeBefore(CHECKS_CALLER, '', archive)
  expect(end().statements.filter(({ text }) => text.includes('repeatable read'))).toEqual([])
})

test.each([
  ['before it has locked the space', /^select .* from "parts"/],
  ['while it writes', /insert into "pages"/],
])('an import whose client has gone %s writes nothing', async (_when, statement) => {
  const archive = await pack({ path: 'pages/new.html', content: 'x' })
  const { plan } = (await mover.upload(space.subdomain, archive)).body
  await closeBefore(statement, `?plan=${plan}`, archive)
  expect(await slugs()).toEqual(['home'])
  expect((await mover.upload(space.subdomain, archive, `plan=${plan}`)).status).toBe(200)
  expect(await slugs()).toEqual(['home', 'new'])
})

test('an export whose client has gone is neither finished nor recorded', async () => {
  await closeBefore(/from "parts"/, '')
  const { events } = await space.owner.audit.ofSpace({ subdomain: space.subdomain })
  expect(events.filter(({ kind }) => kind === 'exported')).toEqual([])
})

test('a start deletes the archives of processes that were killed, and no others', async () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const names = [ended, process.pid, process.ppid].map(pid => `space-site-transfer-${pid}-abcdef`)
  for (const name of [...names, 'another']) await mkdir(path.join(temporary, name))
  await deleteAbandonedFiles()
  expect(await readdir(temporary)).toEqual(expect.arrayContaining(['another', ...names.slice(1)]))
  expect(await readdir(temporary)).toHaveLength(3)
})
