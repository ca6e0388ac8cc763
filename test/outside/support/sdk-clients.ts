import * as second from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'vitest'
import type { ConnectingClient } from './connecting-client.ts'

interface Account {
  handle: string
  scopes: string[]
}

interface Space {
  subdomain: string
  scopes: string[]
}

/** The calls that the tests make with each of the clients. */
export interface Connection {
  tools(): Promise<string[]>
  /** The result of `get_me`. */
  me(): Promise<Account>
  /** The result of `get_space`. */
  space(): Promise<Space>
  close(): Promise<void>
}

const structured = (result: object) => ('structuredContent' in result ? result.structuredContent : undefined)

/**
 * Connects with the client of the second SDK.
 *
 * @param mode how the client chooses the protocol version
 * @param version the protocol version that it must choose
 */
const secondSdk =
  (mode: 'legacy' | 'auto', version: string) =>
  async (address: URL, program: ConnectingClient): Promise<Connection> => {
    const client = () => new second.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const transport = () => new second.StreamableHTTPClientTransport(address, { authProvider: program })
    const refused = transport()
    await expect(client().connect(refused)).rejects.toThrow(second.UnauthorizedError)
    await refused.finishAuth(program.redirectParams)
    const connected = client()
    await connected.connect(transport())
    expect(connected.getNegotiatedProtocolVersion()).toBe(version)
    return {
      tools: async () => (await connected.listTools()).tools.map(({ name }) => name),
      me: async () => structured(await connected.callTool({ name: 'get_me' })) as Account,
      space: async () => structured(await connected.callTool({ name: 'get_space' })) as Space,
      close: () => connected.close(),
    }
  }

/**
 * Connects with the clients of both official SDKs, as their documentation says: try, wait for the approval, finish
 * the authorization, try again.
 */
export const SDK_CLIENTS = {
  'the first SDK': async (address: URL, program: ConnectingClient): Promise<Connection> => {
    const client = () => new Client({ name: 'test', version: '1' })
    const transport = () => new StreamableHTTPClientTransport(address, { authProvider: program })
    const refused = transport()
    await expect(client().connect(refused)).rejects.toThrow('Unauthorized')
    await refused.finishAuth(program.redirectParams.get('code')!)
    const connected = client()
    await connected.connect(transport())
    return {
      tools: async () => (await connected.listTools()).tools.map(({ name }) => name),
      me: async () => structured(await connected.callTool({ name: 'get_me' })) as Account,
      space: async () => structured(await connected.callTool({ name: 'get_space' })) as Space,
      close: () => connected.close(),
    }
  },
  'the second SDK with a handshake': secondSdk('legacy', '2025-11-25'),
  'the second SDK without a handshake': secondSdk('auto', '2026-07-28'),
}
