import { expect } from 'vitest'
import { type ToolResult, toolClient } from '../../mcp/support/tool-client.ts'
import type { TestService, TestSpace } from '../../support/test-service.ts'
import { authorizationQuery, CALLBACK, pkce, post, register, TestBrowser } from './flow.ts'

const RESOURCE = 'http://localhost/mcp'

/** The scopes that the tools for a space need. */
export const ALL = ['pages', 'data', 'files', 'files_write']

/** Returns functions that connect clients to spaces of a service and call its tools. */
export const spaceFlow = (service: TestService) => {
  /** Opens the consent page of a new client that asks for access to a space. */
  const ask = async (browser: TestBrowser, changes: Record<string, string | undefined> = {}) => {
    const clientId = await register(service)
    const { verifier, challenge } = pkce()
    const query = authorizationQuery(service, clientId, challenge, { resource: RESOURCE, ...changes })
    return { clientId, verifier, page: await browser.authorize(query) }
  }

  const exchange = (clientId: string, code: string, verifier: string, changes: Record<string, string> = {}) =>
    post(service, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
      resource: RESOURCE,
      ...changes,
    })

  const refresh = (clientId: string, refresh_token: unknown, changes: Record<string, string> = {}) =>
    post(service, '/oauth/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: String(refresh_token),
      ...changes,
    })

  /** Signs in the owner of a space and returns the browser. */
  const browserOf = async ({ owner }: TestSpace): Promise<TestBrowser> => {
    const browser = new TestBrowser(service.root)
    const query = authorizationQuery(service, await register(service), pkce().challenge)
    await browser.signIn(owner.handle, query)
    return browser
  }

  /** Connects a client to a new space. */
  const connect = async (scopes = ALL) => {
    const space = await service.createSpace()
    const browser = await browserOf(space)
    const { clientId, verifier, page } = await ask(browser)
    const { location } = await browser.decide(page, 'allow', scopes, space.subdomain)
    const code = location!.searchParams.get('code')!
    const { status, body } = await exchange(clientId, code, verifier)
    expect(status).toBe(200)
    return { space, clientId, code, verifier, ...(body as { access_token: string; refresh_token: string }) }
  }

  const call = (secret: string, name: string, headers: Record<string, string> = {}) =>
    toolClient(service, '/mcp', secret, '2025-11-25').send<ToolResult | undefined>(
      'tools/call',
      { name, arguments: {} },
      { headers },
    )

  const subdomainOf = async (secret: string) =>
    (await call(secret, 'get_space')).result?.structuredContent?.subdomain

  return { ask, exchange, refresh, browserOf, connect, call, subdomainOf }
}
