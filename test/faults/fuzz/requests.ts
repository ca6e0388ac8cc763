import { z } from 'zod'
import { prepareServer } from '../../../facades/mcp/prepare-server.ts'
import { toolServers } from '../../../facades/mcp/servers.ts'
import { appRouter } from '../../../routers/index.ts'
import { descriptions } from '../../openapi/descriptions.ts'
import { documentChecker, requestSchemaAt, type WireResponse } from '../../openapi/document-checker.ts'
import type { Random } from './random.ts'
import { hostileString, jsonText, type Known, type Schema, valueGenerator } from './values.ts'

/** A request, and a check of the response to it. */
export interface FuzzRequest {
  /** Name of the operation, for reports. */
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
  /** Returns the errors of a response; empty if the response is correct. */
  check: (response: WireResponse) => string[]
  /** If the operation creates a resource: the path parameter that takes the id of such a resource. */
  creates?: string
}

export interface Credentials {
  key: string
  token: string
  cookie: string
}

/** Procedures that are not called, because they would end the session or are rate limited by network address. */
const LEFT_OUT = new Set(['sessions.delete', 'sessions.endOthers', 'accounts.signUp', 'accounts.delete'])

const PARAMETERS: Readonly<Record<string, string>> = {
  pages: 'page_id',
  parts: 'part_id',
  files: 'file_id',
  posts: 'post_id',
  drafts: 'post_id',
  comments: 'comment_id',
}

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'a/b/c;;;',
]

const AUTHORIZATIONS = [
  '',
  'Bearer',
  'Bearer x',
  'Basic eDp4',
  'Bearer ss_sk_x',
  `Bearer ${'x'.repeat(5000)}`,
  '\u00ff',
]

/** Headers that are unusual or invalid in requests. */
const ODD_HEADERS: Record<string, string>[] = [
  { accept: 'image/png;q=x,,' },
  { 'accept-encoding': 'br;q=1.5, identity;q=0' },
  { 'content-encoding': 'gzip' },
  { 'if-none-match': '"x", W/"' },
  { 'if-modified-since': 'yesterday' },
  { range: 'bytes=9-1,-0' },
  { expect: 'magic' },
  { 'x-forwarded-for': '1.2.3.4, '.repeat(200) },
  { 'x-forwarded-host': 'sites.localhost' },
  { cookie: 'session=%ff; session=; __proto__=1; =' },
  { origin: 'null' },
  { 'x-http-method-override': 'DELETE' },
  { 'user-agent': '\u00e9'.repeat(3000) },
  { upgrade: 'h2c', connection: 'upgrade' },
  { te: 'trailers' },
]

const JSON_HEADERS = { 'content-type': 'application/json' }

const oddHeaders = (random: Random): Record<string, string> =>
  random.chance(0.1) ? random.pick(ODD_HEADERS) : {}

/** Checks a response that is not described by any OpenAPI document: it must not be an internal error. */
const neverInternal = ({ status, text }: WireResponse): string[] => [
  ...(status >= 500 ? [`the status is ${status}`] : []),
  ...(text.includes('internal_error') ? ['it is an internal error'] : []),
]

const segment = (text: string): string => {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}

/** Generates requests to `/v1` from the OpenAPI documents. */
const restRequests = ({ key, token }: Credentials, known: Known, random: Random) =>
  descriptions.flatMap(({ api, document, operations }) => {
    const checker = documentChecker(document)
    const { value } = valueGenerator(document, known, random)
    return operations.map(operation => (): FuzzRequest => {
      const { name, method, path, takesBody } = operation
      const entry = document.paths[path]![method.toLowerCase()]!
      let isRouted = true
      const address = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
        const ids = known[parameter] ?? []
        if (ids.length > 0 && random.chance(0.85)) return random.pick(ids)
        const text = hostileString(random).slice(0, 2000)
        // If a segment is empty, starts with `..` or cannot be decoded, the path does not match the operation.
        if (text === '' || /[\ud800-\udfff]/.test(text) || text.startsWith('..')) isRouted = false
        return segment(text)
      })
      const at = requestSchemaAt(path, method.toLowerCase())
      const secret = api.name === 'space' ? key : token
      const headers: Record<string, string> = {
        authorization: random.chance(0.95) ? `Bearer ${secret}` : random.pick(AUTHORIZATIONS),
        ...(takesBody
          ? { 'content-type': random.chance(0.95) ? CONTENT_TYPES[0]! : random.pick(CONTENT_TYPES) }
          : {}),
        ...oddHeaders(random),
      }
      const suffix = random.chance(0.05) ? `?${segment(hostileString(random)).slice(0, 500)}` : ''
      const schema: Schema = { $ref: at }
      return {
        name: `${method} ${path}`,
        method,
        path: `/v1${address}${suffix}`,
        headers,
        ...(takesBody && entry.requestBody ? { body: jsonText(value(schema), random) } : {}),
        check: response =>
          isRouted ? checker.responseErrors(path, method.toLowerCase(), response) : neverInternal(response),
        ...creation(name),
      }
    })
  })

const creation = (name: string) => {
  const parameter = PARAMETERS[name.split('.')[0]!]
  return parameter && name.endsWith('.create') ? { creates: parameter } : {}
}

/** Generates tool calls from the tools' definitions. */
const toolRequests = ({ key, token }: Credentials, known: Known, random: Random) =>
  toolServers.flatMap(server =>
    [...prepareServer(appRouter, server).tools].map(([name, { operation, definition }]) => {
      const { value } = valueGenerator(definition.inputSchema, known, random)
      return (): FuzzRequest => ({
        name: `tool ${name}`,
        method: 'POST',
        path: server.path,
        headers: {
          ...JSON_HEADERS,
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${server.api.name === 'space' ? key : token}`,
          'mcp-protocol-version': random.chance(0.97) ? '2025-11-25' : '1',
          ...oddHeaders(random),
        },
        body: jsonText(
          {
            jsonrpc: '2.0',
            id: random.int(1000),
            method: 'tools/call',
            params: { name, arguments: value(definition.inputSchema) },
          },
          random,
        ),
        check: response => [...neverInternal(response), ...rpcErrors(response)],
        ...creation(operation.name),
      })
    }),
  )

const rpcErrors = ({ status, text, headers }: WireResponse): string[] => {
  if (status === 202 && text === '') return []
  if (!headers.get('content-type')?.includes('json')) return ['it is not JSON']
  const { jsonrpc, result, error } = JSON.parse(text) as Record<string, unknown>
  return jsonrpc === '2.0' && (result === undefined) !== (error === undefined)
    ? []
    : ['it is not a JSON-RPC response']
}

/** Generates calls over `/trpc` to every procedure of the router. */
const procedureRequests = ({ cookie }: Credentials, known: Known, random: Random) =>
  Object.entries<{ _def: unknown }>(appRouter._def.procedures as never)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, procedure]) => {
      const { type, inputs } = procedure._def as { type: string; inputs: z.ZodType[] }
      const schema = z.toJSONSchema(inputs[0]!, { io: 'input', unrepresentable: 'any' }) as Schema
      const { value } = valueGenerator(schema, known, random)
      return (): FuzzRequest => {
        const input = jsonText(value(schema), random)
        const headers = {
          ...(random.chance(0.9) ? { cookie } : {}),
          ...(type === 'query' ? {} : JSON_HEADERS),
          ...oddHeaders(random),
        }
        const query = `?input=${segment(input.toString()).slice(0, 8000)}`
        return {
          name,
          method: type === 'query' ? 'GET' : 'POST',
          path: `/trpc/${name}${type === 'query' ? query : ''}`,
          headers,
          ...(type === 'query' ? {} : { body: input }),
          check: neverInternal,
          ...creation(name),
        }
      }
    })

/** Returns a function that generates requests of all kinds. Half of them are to `/v1`. */
export const requestGenerator = (credentials: Credentials, known: Known, random: Random) => {
  const rest = restRequests(credentials, known, random)
  const tools = toolRequests(credentials, known, random)
  const procedures = procedureRequests(credentials, known, random)
  return (): FuzzRequest => random.pick(random.pick([rest, rest, tools, procedures]))()
}
