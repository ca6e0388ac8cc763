import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../routers/api/rules.ts'
import { spaceOperations, toolsOf } from '../../contract/operations.ts'
import { authorizationQuery, CALLBACK, pkce, post, register, TestBrowser } from '../../oauth/support/flow.ts'
import { copyCredential } from '../../support/copies.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { breakTable } from '../support/failures.ts'
import { createSpaceWithoutKeys, openKeys, textOf } from '../support/keys.ts'

const dashboard = useDashboard()

/** Number of tools at `/mcp`. */
const TOOLS = toolsOf(spaceOperations).length

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Connect an agent' })

/** Opens the dialog as the owner of a new space. */
const openDialog = async () => {
  const space = await createSpaceWithoutKeys(dashboard)
  const window = await openKeys(dashboard, space, '?connect=true')
  const dialog = dialogOf(window.page)
  await dialog.getByText('Waiting for the first call').waitFor()
  return { ...space, ...window, dialog }
}

/** Creates the key in the dialog and returns the lines to copy. */
const createKey = async (page: Page, program: string): Promise<string> => {
  const dialog = dialogOf(page)
  await dialog.getByLabel('Program', { exact: true }).selectOption(program)
  await dialog.getByText('URL and key', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  return textOf(page, `Copy for ${program}`)
}

/** Connects an SDK client with the configuration that the dialog shows. */
const connect = async (lines: string, name: string): Promise<Client> => {
  const [url] = /\/mcp\S*/.exec(lines)!
  const [authorization] = /Bearer \w+/.exec(lines)!
  const client = new Client({ name, version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(dashboard.service.root + url), {
      requestInit: { headers: { authorization } },
    }),
  )
  return client
}

/** Approves an app for a space and returns its access token. */
const approveApp = async (handle: string, subdomain: string, scopes: string[]): Promise<string> => {
  const { service } = dashboard
  const resource = `${service.core.addresses.apiRoot}/mcp`
  const clientId = await register(service)
  const { verifier, challenge } = pkce()
  const browser = new TestBrowser(service.root)
  const page = await browser.signIn(handle, authorizationQuery(service, clientId, challenge, { resource }))
  const { location } = await browser.decide(page, 'allow', scopes, subdomain)
  const { body } = await post(service, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: location!.searchParams.get('code')!,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
    resource,
  })
  return String(body.access_token)
}

describe('connecting an agent', () => {
  test('opens a dialog from a link in "Get started"; when the dialog closes, the link has the focus', async () => {
    const { owner, subdomain } = await createSpaceWithoutKeys(dashboard)
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}`)
    await page.getByRole('link', { name: 'Connect an agent' }).click()
    await dialogOf(page).getByText('Waiting for the first call').waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Connect an agent' }).press('Enter')
    // Once the dialog has the focus, it listens to the keyboard.
    await dialogOf(page).locator(':focus').waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(page, 'Connect an agent')
  })

  test('shows a URL for programs that can sign in, and the steps for each program', async () => {
    const { page, dialog } = await openDialog()
    const { apiRoot } = dashboard.service.core.addresses
    expect(await textOf(page, 'Copy for Claude Code')).toBe(
      `claude mcp add --transport http space-site ${apiRoot}/mcp`,
    )
    await expectAccessible(page, 'connect-url')
    for (const program of ['ChatGPT', 'Claude (web and desktop)']) {
      await dialog.getByLabel('Program', { exact: true }).selectOption(program)
      expect(await textOf(page, `Copy for ${program}`)).toBe(`${apiRoot}/mcp`)
      await dialog.getByText('The program can’t reach this address').waitFor()
      await expect.poll(() => dialog.getByText('URL and key').count()).toBe(0)
    }
    await expectAccessible(page, 'connect-hosted')
    await dialog.getByLabel('Program', { exact: true }).selectOption('Cursor')
    await dialog.getByLabel('Tools', { exact: true }).selectOption('Studio')
    const url = `${apiRoot}/mcp/studio`
    const link = new URL(await textOf(page, 'Copy for Cursor'))
    expect(link.protocol + link.host + link.pathname).toBe('cursor:anysphere.cursor-deeplink/mcp/install')
    expect(link.searchParams.get('name')).toBe('space-site-studio')
    expect(JSON.parse(atob(link.searchParams.get('config')!))).toEqual({ url })
    expect(JSON.parse(await textOf(page, 'File for Cursor'))).toEqual({
      mcpServers: { 'space-site-studio': { url } },
    })
    await expectAccessible(page, 'connect-cursor')
    await dialog.getByLabel('Program', { exact: true }).selectOption('VS Code')
    const [, config] = /^code --add-mcp (.+)$/.exec(await textOf(page, 'Copy for VS Code'))!
    const server = { name: 'space-site-studio', type: 'http', url }
    expect(config).toBe(JSON.stringify(JSON.stringify(server)))
  })

  test('creates one key, and shows that a real client has connected with it', async () => {
    const { page, dialog, owner, subdomain } = await openDialog()
    const lines = await createKey(page, 'Claude Code')
    await expectAccessible(page, 'connect-key')
    for (const program of ['VS Code', 'Cursor', 'Another program', 'Claude Code']) {
      await dialog.getByLabel('Program', { exact: true }).selectOption(program)
      await page.getByRole('region', { name: `Copy for ${program}` }).waitFor()
    }
    await expect.poll(() => owner.keys.list({ subdomain })).toHaveLength(1)

    const client = await connect(lines, 'claude-code')
    await dialog.getByText(`Connected: Claude Code, ${TOOLS} tools`).waitFor()
    await expectAccessible(page, 'connect-connected')
    await client.close()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(/Bearer (\w+)/.exec(lines)![1])
  })

  test('asks for confirmation before it closes if the key is shown and no agent has connected', async () => {
    const { page, dialog } = await openDialog()
    await createKey(page, 'Claude Code')
    const question = page.getByRole('dialog', { name: 'Close before the agent has connected?' })
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await question.waitFor()
    await expectAccessible(page, 'connect-close')
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await textOf(page, 'Copy for Claude Code')).toContain('ss_sk_')
    await page.keyboard.press('Escape')
    await question.waitFor()
    await question.getByRole('button', { name: 'Close and lose the key' }).click()
    await dialog.waitFor({ state: 'detached' })
    await question.waitFor({ state: 'detached' })
  })

  test('closes its confirmation dialog once the agent has connected', async () => {
    const { page, dialog } = await openDialog()
    const lines = await createKey(page, 'Claude Code')
    const question = page.getByRole('dialog', { name: 'Close before the agent has connected?' })
    await page.keyboard.press('Escape')
    await question.waitFor()
    const client = await connect(lines, 'claude-code')
    await question.waitFor({ state: 'detached' })
    await client.close()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
  })

  test('shows the key separately if the lines to copy do not contain it', async () => {
    const { page } = await openDialog()
    const link = await createKey(page, 'VS Code')
    expect(link).toContain('promptString')
    const secret = await textOf(page, 'Key')
    expect(secret).toMatch(/^ss_sk_/)
    const { protocol, pathname, search } = new URL(link)
    expect(protocol + pathname).toBe('vscode:mcp/install')
    const { name, inputs, ...server } = JSON.parse(decodeURIComponent(search.slice(1))) as Record<
      string,
      unknown
    >
    const file = await textOf(page, 'File for VS Code')
    expect(JSON.parse(file)).toEqual({ inputs, servers: { [String(name)]: server } })
    expect(server.headers).toEqual({ Authorization: `Bearer \${input:space-site-key}` })
    expect(link + file).not.toContain(secret)
  })

  test('creates a key without permission to write files if the person chooses the read-only tools', async () => {
    const { page, dialog, owner, subdomain } = await openDialog()
    await dialog.getByLabel('Tools', { exact: true }).selectOption('Read-only')
    await createKey(page, 'Another program')
    const [key] = await owner.keys.list({ subdomain })
    expect(key).toMatchObject({ label: 'Another program', scopes: ['pages', 'data', 'files'] })
  })

  test('shows that a key was refused, and later that it works', async () => {
    const { page, dialog } = await openDialog()
    const lines = await createKey(page, 'Claude Code')
    await expect(connect(lines.replace(/(Bearer \w+)\w/, '$1'), 'x')).rejects.toThrow('unauthorized')
    await dialog.getByText('A key was refused').waitFor()
    await expectAccessible(page, 'connect-refused')
    const client = await connect(lines, 'my-program')
    await dialog.getByText(`Connected: my-program, ${TOOLS} tools`).waitFor()
    await client.close()
  })

  test('shows that an app was approved, that it has connected, and that it lacks a permission', async () => {
    const { page, dialog, owner, subdomain } = await openDialog()
    const secret = await approveApp(owner.handle, subdomain, ['data'])
    await dialog.getByText('You approved Test client. Waiting for its first call').waitFor()
    await expectAccessible(page, 'connect-approved')
    const { apiRoot } = dashboard.service.core.addresses
    const client = await connect(`${apiRoot}/mcp Bearer ${secret}`, 'test-client')
    await dialog.getByText(`Connected: test-client, ${TOOLS} tools`).waitFor()
    await client.callTool({ name: 'list_pages', arguments: {} })
    await dialog.getByText('test-client has connected, but a call was refused').waitFor()
    await dialog.getByText('needed a permission that it doesn’t have').waitFor()
    await expectAccessible(page, 'connect-failing')
    await client.close()
  })

  test('ignores agents that connected before the dialog opened', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const { owner, subdomain } = space
    const { secret } = await owner.keys.issue({ subdomain, label: 'Old', scopes: ['pages'] })
    const { apiRoot } = dashboard.service.core.addresses
    const client = await connect(`${apiRoot}/mcp Bearer ${secret}`, 'old')
    await dashboard.service.core.lastUsed.flush()
    const { page } = await openKeys(dashboard, space, '?connect=true')
    await dialogOf(page).getByText('Waiting for the first call').waitFor()
    await client.callTool({ name: 'list_data', arguments: {} })
    await dashboard.service.core.lastUsed.flush()
    // The first request can have been sent before the call. The third is sent after the dialog has shown the second list.
    for (let request = 1; request <= 3; request++)
      await page.waitForResponse(response => response.url().includes('keys.list'))
    await expect.poll(() => dialogOf(page).getByText('Waiting for the first call').isVisible()).toBe(true)
    await client.close()
  })

  test('explains what to check if no call arrives', async () => {
    const space = await createSpaceWithoutKeys(dashboard)
    const window = await dashboard.as(space.owner)
    await window.page.clock.install()
    await window.open(`/spaces/${space.subdomain}/keys?connect=true`)
    const dialog = dialogOf(window.page)
    await dialog.getByText('Waiting for the first call').waitFor()
    await window.page.clock.fastForward(60_000)
    await dialog.getByText('No call has arrived yet').waitFor()
    await expectAccessible(window.page, 'connect-late')
  })

  test('shows that it cannot check the connection, and keeps trying', async () => {
    const { page, dialog } = await openDialog()
    const repair = await breakTable(dashboard.service, 'space_keys')
    await dialog.getByText('The dashboard can’t see whether the program has connected').waitFor()
    await expectAccessible(page, 'connect-error')
    await repair()
    await dialog.getByText('Waiting for the first call').waitFor()
  })

  test('says that a key must be revoked first if the space has the maximum number of keys', async () => {
    const { dialog, owner, subdomain } = await openDialog()
    const { id } = await owner.keys.issue({ subdomain, label: 'Program', scopes: ['pages'] })
    await copyCredential(dashboard.service, 'space_keys', id, limits.keys - 1)
    await dialog.getByText('URL and key', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText(`A space can have at most ${limits.keys} keys and connected apps`).waitFor()
    await expect.poll(() => owner.keys.list({ subdomain })).toHaveLength(limits.keys)
  })
})
