import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { freePort } from '../support/program.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { expectedFindings } from './support/conformance-exceptions.ts'
import { applicable, applicableWithContent, type Revision } from './support/conformance-scope.ts'
import { conformanceTools } from './support/conformance-tools.ts'
import { startKeyProxy } from './support/key-proxy.ts'

/** The result of the suite for one rule. */
interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** Paths of the tool servers of the Space API. */
const spacePaths = ['/mcp', '/mcp/studio', '/mcp/readonly']

let service: TestService
let proxy: Server
let root: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-conformance-'))
  const port = await freePort()
  root = `http://localhost:${port}`
  // The suite cannot send a key, so it connects to a proxy that adds one. The service is configured with the address of
  // the proxy.
  service = await startTestService({ apiRoot: root })
  const key = await (await service.createSpace()).key(...SPACE_SCOPES)
  const secrets: Record<string, string> = {
    ...Object.fromEntries(spacePaths.map(path => [path, key])),
    '/user-mcp': await (await service.signUp()).token(...USER_SCOPES),
  }
  proxy = await startKeyProxy(port, service.port, at => secrets[at] ?? '')
})

afterAll(async () => {
  proxy.close()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs scenarios against an address and returns the checks of each. */
const run = async (address: string, which: string[]): Promise<Map<string, Check[]>> => {
  const results = await mkdtemp(path.join(folder, 'results-'))
  const args = ['server', '--url', address, ...which, '-o', results]
  const child = spawn('node_modules/.bin/conformance', args, { stdio: 'ignore' })
  await once(child, 'close')
  const found = new Map<string, Check[]>()
  for (const name of await readdir(results)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1]
    const text = await readFile(path.join(results, name, 'checks.json'), 'utf8')
    if (scenario) found.set(scenario, JSON.parse(text) as Check[])
  }
  return found
}

/** Returns the checks that failed, warned or were skipped, as `STATUS scenario: check`, sorted. */
const findingsIn = (found: Map<string, Check[]>): string[] =>
  [...found]
    .flatMap(([scenario, all]) =>
      all
        .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
        .map(({ id, status }) => `${status} ${scenario}: ${id}`),
    )
    .sort()

const revisions = Object.keys(applicable) as Revision[]

/** Paths of the tool servers that offer resources and prompts. */
const withContent = new Set(['/mcp/studio', '/mcp/readonly'])

describe.each([...spacePaths, '/user-mcp'])('the official suite against %s', at => {
  const hasContent = withContent.has(at)

  test.each(revisions)('reports exactly the listed exceptions for %s', async revision => {
    const found = await run(root + at, ['--requirements', revision])
    expect(findingsIn(found)).toEqual(expectedFindings(revision, hasContent))

    const passed = [...found].filter(([, all]) => all.some(({ status }) => status === 'SUCCESS'))
    const expected = [...applicable[revision], ...(hasContent ? applicableWithContent : [])]
    expect(passed.map(([name]) => name)).toEqual(expect.arrayContaining(expected))
  })
})

describe('the handler of the tool servers, with the tools that the suite expects', () => {
  let server: Server
  let address: string

  beforeAll(async () => {
    const [port, key] = [await freePort(), await (await service.createSpace()).key(...SPACE_SCOPES)]
    const target = conformanceTools(service, `http://localhost:${port}`).listen(0)
    await once(target, 'listening')
    server = await startKeyProxy(port, (target.address() as AddressInfo).port, () => key)
    server.on('close', () => target.close())
    address = `http://localhost:${port}/mcp`
  })
  afterAll(() => server.close())

  test.each(
    revisions.flatMap(revision =>
      ['tools-call-simple-text', 'tools-call-error'].map(scenario => ({ revision, scenario })),
    ),
  )('passes $scenario in $revision', async ({ revision, scenario }) => {
    const found = await run(address, ['--scenario', scenario, '--spec-version', revision])
    const all = [...found.values()].flat()
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'SUCCESS'))
    expect(all.length).toBeGreaterThan(1)
  })
})
