import { afterEach, describe, expect, test } from 'vitest'
import { ENVELOPE } from '../../facades/mcp/call.ts'
import { prepareServer } from '../../facades/mcp/prepare-server.ts'
import { toolServers } from '../../facades/mcp/servers.ts'
import type { Tool } from '../../facades/mcp/tools.ts'
import { errorCodesOf } from '../../facades/openapi/error-codes.ts'
import type { Operation } from '../../facades/operations/list.ts'
import type { ErrorCode } from '../../routers/api/errors.ts'
import { spaceKeyActor } from '../../routers/api/identities.ts'
import { limits } from '../../routers/api/rules.ts'
import { hashSecret } from '../../routers/api/secret.ts'
import { createCallerFactory } from '../../routers/api/trpc.ts'
import { appRouter } from '../../routers/index.ts'
import { isCallable, tableOf } from '../contract/operations.ts'
import { descriptions } from '../openapi/descriptions.ts'
import {
  breakTables,
  fewOfEach,
  type Request,
  restoreTables,
  type Scenario,
  type Scenarios,
} from '../openapi/scenario.ts'
import { space } from '../openapi/space-scenarios.ts'
import { user } from '../openapi/user-scenarios.ts'
import { useTestService } from '../support/test-service.ts'
import { hideTable } from './support/hide-table.ts'
import { normalized } from './support/normalized.ts'
import {
  type Protocol,
  protocols,
  type ToolPath,
  type ToolResult,
  toolClient,
} from './support/tool-client.ts'

const service = useTestService({ callsPerMinute: 2, creationLimits: fewOfEach })
afterEach(() => restoreTables(service))

// The cast is safe because each scenario is used only with the API that prepared it.
const SCENARIOS = { space, user } as unknown as Record<string, Scenarios<Scenario>>

/**
 * Errors that no tool can return. Each of them either ends the request before a tool is called, or is caused only by
 * headers, or cannot occur because the key determines the space.
 */
const NOT_FOR_TOOLS = new Set<ErrorCode>([
  'unauthorized',
  'invalid_json',
  'unsupported_media_type',
  'space_mismatch',
  'precondition_failed',
  'idempotency_in_progress',
  'idempotency_key_reused',
])

interface Row {
  name: string
  path: ToolPath
  tool: Tool & { operation: Operation }
  scenarios: Scenarios<Scenario>
}

const rows: Row[] = toolServers.flatMap(server =>
  // Skip operations that the tests cannot call yet (test/contract/complete.test.ts reports them), and tools that
  // test/mcp/studio-tools.test.ts covers.
  [...prepareServer(appRouter, server).tools].flatMap(([name, { operation, definition }]) =>
    'path' in operation && isCallable(operation)
      ? [
          {
            name,
            path: server.path as Row['path'],
            tool: { operation, definition },
            scenarios: SCENARIOS[server.api.name]!,
          },
        ]
      : [],
  ),
)
/** The servers that offer each operation. */
const offers = [...Map.groupBy(rows, ({ tool }) => tool.operation.name).values()]
/** Every tool on every server. If several servers offer it, they take turns with the protocols. */
const successes = offers.flatMap((group, turn) =>
  group.map((row, n) => ({ ...row, protocol: protocols[(turn + n) % protocols.length]! })),
)
/**
 * Procedures that read the table of icons only for a profile with an icon. The profiles in these tests have
 * no icon, so these procedures succeed even if the table cannot be read.
 */
const SKIP_ICONS = new Set(['me.get', 'me.update'])

/** Every error of every operation, on one of the servers that offer it: all servers call it in the same way. */
const failures = offers
  .flatMap(group =>
    errorCodesOf(group[0]!.tool.operation).map((code, n) => ({ ...group[n % group.length]!, code })),
  )
  .filter(({ code, scenarios }) => !NOT_FOR_TOOLS.has(code) && code in scenarios.failureSetups)
  .map((row, index) => ({ ...row, protocol: protocols[index % protocols.length]! }))
  // Leave out internal errors of `get_space`: the last test in this file shows that it cannot have one.
  .filter(({ code, tool }) => code !== 'internal_error' || tableOf(tool.operation) !== null)
  .filter(
    ({ code, tool: { operation } }) =>
      code !== 'unavailable' || (tableOf(operation) !== null && !SKIP_ICONS.has(operation.name)),
  )

const exampleOf = ({ operation: { path, method } }: Row['tool']) =>
  descriptions
    .map(({ document }) => document.paths[path]?.[method.toLowerCase()])
    .find(entry => entry !== undefined)?.requestBody?.content['application/json'].example

/** Sends the request over REST and returns the response body. */
const viaRest = async (
  { operation: { method, path } }: Row['tool'],
  { path: values, secret, body }: Request,
) => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name]!)
  const response = await service.rest(secret).send(address, {
    method,
    ...(body === undefined
      ? {}
      : {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
  })
  return response.body
}

/** Sends the request as a tool call. The path parameters, except the subdomain, become arguments of the tool. */
const viaTool = (row: Row, protocol: Protocol, { path, secret, body }: Request) => {
  const { subdomain: _, ...ids } = path
  const args = { ...ids, ...(typeof body === 'string' ? { filler: body } : (body as object)) }
  return toolClient(service, row.path, secret, protocol).send<ToolResult>('tools/call', {
    name: row.name,
    arguments: args,
  })
}

describe.each(successes)('$name at $path, protocol $protocol', row => {
  test('returns the REST response as structured content and as text', async () => {
    const { tool, scenarios, protocol } = row
    const [one, other] = [
      await scenarios.prepare(service, tool.operation, exampleOf(tool)),
      await scenarios.prepare(service, tool.operation, exampleOf(tool)),
    ]
    const rest = await viaRest(tool, one.request)
    const { result } = await viaTool(row, protocol, other.request)

    expect(result.isError).toBeUndefined()
    const expected = tool.operation.meta.status === 204 ? { deleted: true } : rest
    expect(normalized(result.structuredContent)).toEqual(normalized(expected))
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }])
  })
})

describe('a failed tool call returns advice, and the same problem as a REST call', () => {
  test.each(failures)('$name at $path: $code, protocol $protocol', async row => {
    const { tool, scenarios, protocol, code } = row
    const failingRequest = async () => {
      await restoreTables(service)
      const scenario = await scenarios.prepare(service, tool.operation, exampleOf(tool))
      if (code === 'internal_error') {
        await hideTable(service, tableOf(tool.operation)!)
        return scenario.request
      }
      if (code === 'unavailable') {
        await breakTables(service, [tableOf(tool.operation)!])
        return scenario.request
      }
      return { ...scenario.request, ...(await scenarios.failureSetups[code]!(scenario)) }
    }
    const rest = await viaRest(tool, await failingRequest())
    const request = await failingRequest()
    if (code === 'payload_too_large')
      request.body = 'x'.repeat((tool.operation.meta.bodyLimit ?? limits.body) + ENVELOPE)
    const { result } = await viaTool(row, protocol, request)

    expect(rest.code).toBe(code)
    expect(result.isError).toBe(true)
    expect(normalized(JSON.parse(result.content[0]!.text))).toEqual(normalized(rest))
    expect(result.structuredContent).toBeUndefined()
    expect(result.content[1]?.text).toMatch(/\.$/)
  })
})

test('get_space makes no query after authentication, so it cannot fail with an internal error', async () => {
  const { subdomain, key } = await service.createSpace()
  const { core } = service
  const db = core.database
  const actor = await spaceKeyActor(db, hashSecret(await key('pages')))
  for (const { name } of await db.introspection.getTables())
    await db.schema.alterTable(name).renameTo(`hidden_${name}`).execute()
  const call = createCallerFactory(appRouter)({ core, actor })
  expect(await call.space.get({ subdomain })).toMatchObject({ subdomain, scopes: ['pages'] })
})
