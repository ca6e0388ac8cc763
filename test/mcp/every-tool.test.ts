import { afterEach, describe, expect, test } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { ENVELOPE } from '../../facades/mcp/call.ts'
import { prepareServer } from '../../facades/mcp/prepared.ts'
import { toolServers } from '../../facades/mcp/servers.ts'
import type { Tool } from '../../facades/mcp/tools.ts'
import { errorCodesOf } from '../../facades/openapi/error-codes.ts'
import { spaceKeyActor } from '../../routers/access/actor.ts'
import type { ErrorCode } from '../../routers/core/errors.ts'
import { limits } from '../../routers/core/rules.ts'
import { createCallerFactory } from '../../routers/core/trpc.ts'
import { appRouter } from '../../routers/index.ts'
import { descriptions } from '../openapi/descriptions.ts'
import { type Request, restoreTables, type Scenario, type Scenarios } from '../openapi/scenario.ts'
import { space } from '../openapi/space-scenarios.ts'
import { user } from '../openapi/user-scenarios.ts'
import { useWorld } from '../support/world.ts'
import { hideTableOf } from './support/hide-table.ts'
import { normalized } from './support/normalized.ts'
import { type Era, eras, type ToolResult, toolClient } from './support/tool-client.ts'

const world = useWorld({ callsPerMinute: 2 })
afterEach(() => restoreTables(world))

// Each API's own scenarios go only where they came from.
const SCENARIOS = { space, user } as unknown as Record<string, Scenarios<Scenario>>

/** Failures that a tool cannot have: what brings them about ends the request before, or is settled by the key. */
const NOT_OF_TOOLS = new Set<ErrorCode>([
  'unauthorized',
  'invalid_json',
  'unsupported_media_type',
  'space_mismatch',
])

interface Row {
  name: string
  path: '/mcp' | '/user-mcp'
  tool: Tool
  scenarios: Scenarios<Scenario>
}

const rows: Row[] = toolServers.flatMap(server =>
  [...prepareServer(appRouter, server).tools].map(([name, tool]) => ({
    name,
    path: server.path as Row['path'],
    tool,
    scenarios: SCENARIOS[server.api.name]!,
  })),
)
const successes = rows.flatMap(row => eras.map(era => ({ ...row, era })))
const failures = rows
  .flatMap(row => errorCodesOf(row.tool.operation).map(code => ({ ...row, code })))
  .filter(({ code }) => !NOT_OF_TOOLS.has(code))
  .map((row, index) => ({ ...row, era: eras[index % eras.length]! }))
  // `get_space` has nothing left that could break: that is a test of its own below.
  .filter(({ code, name }) => code !== 'internal_error' || name !== 'get_space')

const exampleOf = ({ operation: { path, method } }: Tool) =>
  descriptions
    .map(({ document }) => document.paths[path]?.[method.toLowerCase()])
    .find(entry => entry !== undefined)?.requestBody?.content['application/json'].example

/** What REST answers. */
const viaRest = async ({ operation: { method, path } }: Tool, { path: values, secret, body }: Request) => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name]!)
  const answer = await world.rest(secret).send(address, {
    method,
    ...(body === undefined
      ? {}
      : {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
  })
  return answer.body
}

/** What the tool answers for the same request: the path's values are arguments like any other. */
const viaTool = (row: Row, era: Era, { path, secret, body }: Request) => {
  const { subdomain: _, ...ids } = path
  const args = { ...ids, ...(typeof body === 'string' ? { filler: body } : (body as object)) }
  return toolClient(world, row.path, secret, era).send<ToolResult>('tools/call', {
    name: row.name,
    arguments: args,
  })
}

describe.each(successes)('$name, spoken to in $era', row => {
  test('answers what REST answers, as structured content and as text', async () => {
    const { tool, scenarios, era } = row
    const [one, other] = [
      await scenarios.prepare(world, tool.operation, exampleOf(tool)),
      await scenarios.prepare(world, tool.operation, exampleOf(tool)),
    ]
    const rest = await viaRest(tool, one.request)
    const { result } = await viaTool(row, era, other.request)

    expect(result.isError).toBeUndefined()
    const expected = tool.operation.meta.status === 204 ? { deleted: true } : rest
    expect(normalized(result.structuredContent)).toEqual(normalized(expected))
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }])
  })
})

describe('a tool that fails tells the problem that REST tells, and what to do next', () => {
  test.each(failures)('$name: $code, spoken to in $era', async row => {
    const { tool, scenarios, era, code } = row
    const setUpFailure = async () => {
      await restoreTables(world)
      const scenario = await scenarios.prepare(world, tool.operation, exampleOf(tool))
      if (code === 'internal_error') {
        await hideTableOf(row.name)(world)
        return scenario.request
      }
      return { ...scenario.request, ...(await scenarios.failureSetups[code]!(scenario)) }
    }
    const rest = await viaRest(tool, await setUpFailure())
    const request = await setUpFailure()
    if (code === 'payload_too_large')
      request.body = 'x'.repeat((tool.operation.meta.bodyLimit ?? limits.body) + ENVELOPE)
    const { result } = await viaTool(row, era, request)

    expect(rest.code).toBe(code)
    expect(result.isError).toBe(true)
    expect(normalized(JSON.parse(result.content[0]!.text))).toEqual(normalized(rest))
    expect(result.structuredContent).toBeUndefined()
    expect(result.content[1]?.text).toMatch(/\.$/)
  })
})

test('get_space asks nothing of the database but who calls, so that it cannot break after that', async () => {
  const { subdomain, key } = await world.space()
  const { core } = world.service
  const db = sqlOf(core.orm.em.fork())
  const actor = await spaceKeyActor(db, await key('pages'))
  for (const { name } of await db.introspection.getTables())
    await db.schema.alterTable(name).renameTo(`mislaid_${name}`).execute()
  const call = createCallerFactory(appRouter)({ core, em: core.orm.em.fork(), actor })
  expect(await call.space.get({ subdomain })).toMatchObject({ subdomain, scopes: ['pages'] })
})
