import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/program.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { approver } from './support/connecting-client.ts'

let service: TestService
let root: string
let folder: string
beforeAll(async () => {
  const port = await freePort()
  root = `http://localhost:${port}`
  service = await startTestService({ port, apiRoot: root })
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-inspector-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Runs `get_space` in the MCP Inspector, which knows only the URL of `/mcp`.
 *
 * @param approve called with the address that the Inspector wants to open in a browser; returns where it leads back to
 */
const getSpace = async (era: string, more: string[], approve?: (address: URL) => Promise<URL>) => {
  const args = ['--cli', `${root}/mcp`, '--transport', 'http', '--protocol-era', era, ...more]
  const child = spawn(
    'node_modules/.bin/mcp-inspector',
    [...args, '--method', 'tools/call', '--tool-name', 'get_space'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        HOME: folder,
        MCP_INSPECTOR_OAUTH_STATE_PATH: path.join(folder, `${era}.json`),
        // The default is the keychain of the operating system, or memory.
        MCP_INSPECTOR_SECRET_STORE: 'file',
        MCP_INSPECTOR_SECRET_FILE: path.join(folder, `${era}-secrets.json`),
        // Without a terminal, the Inspector asks for approval only if it may open a browser: here, `true`.
        MCP_AUTO_OPEN_ENABLED: 'true',
        BROWSER: 'true',
      },
    },
  )
  let [output, errorOutput] = ['', '']
  let approval: Promise<unknown> | undefined
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    errorOutput += text.toString()
    const address = /Please navigate to: (\S+)\s/.exec(errorOutput)?.[1]
    if (address && approve) approval ??= approve(new URL(address)).then(target => fetch(target))
  })
  const [code] = (await once(child, 'close')) as [number]
  await approval
  return { code, output, errorOutput, wasApproved: approval !== undefined }
}

test.each(['legacy', 'modern'])(
  'the Inspector connects to a space by URL alone until its key is revoked, protocol era %s',
  async era => {
    const { owner, subdomain } = await service.createSpace()
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
    const approve = approver(owner.handle, ['pages', 'data'], subdomain)
    const first = await getSpace(era, ['--callback-url', callback], approve)
    expect(first).toMatchObject({ code: 0, wasApproved: true })
    expect(first.output).toContain(`"subdomain": "${subdomain}"`)

    const again = await getSpace(era, ['--stored-auth-only'])
    expect(again).toMatchObject({ code: 0, wasApproved: false })

    const key = (await owner.keys.list({ subdomain })).find(({ client_id }) => client_id)!
    await owner.keys.revoke({ subdomain, key_id: key.id })
    const { code, output } = await getSpace(era, ['--stored-auth-only'])
    // The exit code for a server that requires a new approval.
    expect({ code, output }).toEqual({ code: 3, output: '' })
  },
)
