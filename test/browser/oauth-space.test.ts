import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spaceOperations, toolsOf } from '../contract/operations.ts'
import { ConnectingClient } from '../outside/support/connecting-client.ts'
import { getSpace } from '../outside/support/inspector.ts'
import { SDK_CLIENTS } from '../outside/support/sdk-clients.ts'
import { freePort } from '../support/program.ts'
import { type TestSpace, uniqueName } from '../support/test-service.ts'
import { useReaderBrowser } from './support/delivery.ts'

const readerBrowser = useReaderBrowser()
const PASSWORD = 'correct horse battery'
const address = () => `${readerBrowser.service.core.addresses.apiRoot}/mcp`

/** Serves the client's page, to which the browser returns after the approval. */
const callback = createServer((_, res) => res.end('Connected'))
let callbackUrl: string
let folder: string
beforeAll(async () => {
  await once(callback.listen(0, '127.0.0.1'), 'listening')
  callbackUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-inspector-'))
})
afterAll(async () => {
  callback.close()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a space whose owner also has another space, so that the owner must choose between the two. */
const spaceToChoose = async () => {
  const space = await readerBrowser.service.createSpace()
  await space.owner.spaces.create({ subdomain: uniqueName('other'), name: 'Other' })
  return space
}

/** Signs in, chooses the space and the client's permissions, and lets the browser follow the redirect to the client. */
const approve = async (page: Page, url: URL, { owner, subdomain }: TestSpace): Promise<void> => {
  await page.goto(url.href)
  await page.getByLabel('Handle').fill(owner.handle)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Space').selectOption(subdomain)
  await page.getByRole('checkbox', { name: /files/ }).first().uncheck()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
}

const revoke = async ({ owner, subdomain }: TestSpace) => {
  const key = (await owner.keys.list({ subdomain })).find(({ client_id }) => client_id)!
  await owner.keys.revoke({ subdomain, key_id: key.id })
}

test.each(Object.entries(SDK_CLIENTS))(
  'a person connects a client of %s to a space in the browser, and the next call fails after the key is revoked',
  async (_, connect) => {
    const space = await spaceToChoose()
    const { page } = await readerBrowser.window()
    const program = new ConnectingClient(async url => {
      if (program.approvals === 1) await approve(page, url, space)
      return new URL(page.url())
    })
    program.clientMetadata.redirect_uris = [callbackUrl]
    program.redirectUrl = callbackUrl
    const connection = await connect(new URL(address()), program)
    expect(await connection.tools()).toHaveLength(toolsOf(spaceOperations).length)
    expect(await connection.space()).toMatchObject({ subdomain: space.subdomain })
    await revoke(space)
    await expect(connection.space()).rejects.toThrow(/Unauthorized/)
    await connection.close()
  },
)

test.each(['legacy', 'modern'])(
  'a person connects the Inspector to a space in the browser, with the %s protocol',
  async era => {
    const space = await spaceToChoose()
    const { page } = await readerBrowser.window()
    const redirect = ['--callback-url', `http://127.0.0.1:${await freePort()}/oauth/callback`]
    const run = await getSpace(address(), era, folder, redirect, url => approve(page, url, space))
    expect(run).toMatchObject({ code: 0, wasApproved: true })
    expect(run.output).toContain(`"subdomain": "${space.subdomain}"`)
  },
)
