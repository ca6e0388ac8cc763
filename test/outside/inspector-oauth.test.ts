import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/program.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { approver } from './support/connecting-client.ts'
import { getSpace } from './support/inspector.ts'

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

test.each(['legacy', 'modern'])(
  'with the %s protocol, the Inspector needs only the URL to connect, and loses access when its key is revoked',
  async era => {
    const { owner, subdomain } = await service.createSpace()
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
    const approve = approver(owner.handle, ['pages', 'data'], subdomain)
    const run = (more: string[]) =>
      getSpace(`${root}/mcp`, era, folder, more, async address => fetch(await approve(address)))
    const first = await run(['--callback-url', callback])
    expect(first).toMatchObject({ code: 0, wasApproved: true })
    expect(first.output).toContain(`"subdomain": "${subdomain}"`)

    const again = await run(['--stored-auth-only'])
    expect(again).toMatchObject({ code: 0, wasApproved: false })

    const key = (await owner.keys.list({ subdomain })).find(({ client_id }) => client_id)!
    await owner.keys.revoke({ subdomain, key_id: key.id })
    const { code, output } = await run(['--stored-auth-only'])
    expect({ code, output }).toEqual({ code: 3, output: '' })
  },
)
