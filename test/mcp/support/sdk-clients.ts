import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const who = { name: 'test', version: '1.0.0' }

/** The methods that both SDK clients share. */
export interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<object>
  getInstructions(): string | undefined
  close(): Promise<void>
}

/** Connects a client. Returns the client and the protocol version that it uses. */
export type Connect = (
  address: URL,
  secret: string,
) => Promise<{ client: AnyClient; version: string | undefined }>

const requestInit = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } })

/** Connects the client of the first SDK, which uses the handshake protocol. */
export const firstSdk: Connect = async (address, secret) => {
  const client = new Client(who)
  const transport = new StreamableHTTPClientTransport(address, { requestInit: requestInit(secret) })
  await client.connect(transport)
  return { client, version: transport.protocolVersion }
}

/** Connects the client of the second SDK. @param mode how it chooses the protocol */
export const secondSdk =
  (mode: 'legacy' | 'auto' | { pin: string }): Connect =>
  async (address, secret) => {
    const client = new NewClient(who, { versionNegotiation: { mode } })
    await client.connect(new NewTransport(address, { requestInit: requestInit(secret) }))
    return { client, version: client.getNegotiatedProtocolVersion() }
  }
