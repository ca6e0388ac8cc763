import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { describe, expect, test } from 'vitest'
import { advice, adviceFor } from '../../facades/mcp/advice.ts'
import { type PreparedServer, prepareServer } from '../../facades/mcp/prepare-server.ts'
import { spaceServer, toolServers, userServer } from '../../facades/mcp/servers.ts'
import { codesOfTool, errorCodesOf } from '../../facades/openapi/error-codes.ts'
import { appRouter } from '../../routers/index.ts'
import { facts, hintsOf } from '../contract/facts.ts'
import { isCallable, spaceOperations, toolsOf, userOperations } from '../contract/operations.ts'
import { studioTools } from '../contract/studio-tools.ts'

/** Returns the names that the contract gives the tools of a server. */
const namesAt = (path: string) => toolsOf(path === '/mcp' ? spaceOperations : userOperations)

/**
 * Errors that no tool can return. Each of them either ends the request before a tool is called, or is caused only by
 * headers, or cannot occur because the key determines the space.
 */
const BEFORE_A_CALL = new Set<string>([
  'invalid_json',
  'unsupported_media_type',
  'space_mismatch',
  'precondition_failed',
  'idempotency_in_progress',
  'idempotency_key_reused',
])

// Covers only the servers whose tools are all operations; test/mcp/studio-tools.test.ts covers the others.
const servers = [spaceServer, userServer].map(server => ({
  path: server.path,
  server,
  prepared: prepareServer(appRouter, server),
}))
// Skip tools without an entry in test/contract/facts.ts; complete.test.ts reports them.
const knownTools = ({ tools }: PreparedServer) =>
  [...tools.values()].flatMap(({ operation, definition }) =>
    'path' in operation && isCallable(operation) ? [{ operation, definition }] : [],
  )
const table = servers.flatMap(({ prepared }) =>
  knownTools(prepared).map(({ definition, operation }) => ({
    name: definition.name,
    definition,
    operation,
  })),
)

const tokenizer = new Tiktoken(o200k)
const tokensOf = (value: unknown) => tokenizer.encode(JSON.stringify(value)).length
/** A tool definition as a model sees it: clients do not pass the output schema on. */
const visibleToModel = ({ outputSchema: _output, ...definition }: Tool) => definition

/** Returns a schema and all schemas inside it. */
const nodes = (schema: unknown): Record<string, unknown>[] => {
  const node = schema as Record<string, unknown>
  const inner = [...Object.values(node.properties ?? {}), ...(node.items ? [node.items] : [])]
  return [node, ...inner.flatMap(nodes)]
}

describe.each(servers)('the tools at $path', ({ path, prepared }) => {
  test('are the ones that the contract names', () => {
    expect(knownTools(prepared).map(({ definition }) => definition.name)).toEqual(namesAt(path))
  })

  test('take less than 5,000 tokens in total, both counted by a tokenizer and estimated at four characters per token', () => {
    const definitions = prepared.list.tools.map(visibleToModel)
    expect(tokensOf(definitions)).toBeLessThan(5000)
    expect(JSON.stringify(definitions).length / 4).toBeLessThan(5000)
  })

  test('come with instructions that name the tool to call first', () => {
    expect(prepared.instructions).toContain(`Call ${namesAt(path)[0]} first`)
  })
})

/**
 * Maximum number of tokens in the instructions of each server. Agents pay for the instructions in every
 * conversation, so anything beyond this maximum belongs in the guide.
 *
 * On the servers of a space, the syntax of templates takes 420 tokens. `/mcp` may use 100 more, and `/mcp/studio`
 * 200 more. `/user-mcp` needs 144 tokens and may also use 100 more.
 */
const INSTRUCTION_TOKENS = {
  '/mcp': 420 + 100,
  '/mcp/studio': 420 + 100 + 100,
  '/mcp/readonly': 348,
  '/user-mcp': 144 + 100,
}

test.each(Object.entries(INSTRUCTION_TOKENS))(
  'the instructions of %s take at most %i tokens',
  (path, tokens) => {
    const server = toolServers.find(each => each.path === path)!
    expect(tokensOf(server.instructions)).toBeLessThanOrEqual(tokens)
  },
)

test('the instructions of /mcp name the server with more tools', () => {
  const studio = toolServers.find(({ path }) => path === '/mcp/studio')!
  expect(servers[0]!.prepared.instructions).toContain('The same key works at /mcp/studio')
  expect(studio.instructions).not.toContain('/mcp/studio')
})

test('the instructions of /mcp explain the tags and variables of templates', () => {
  const { instructions } = servers[0]!.prepared
  for (const word of ['space.name', 'raw', 'render', 'include', 'layout', 'block', 'data["', 'contentType'])
    expect(instructions).toContain(word)
})

describe.each(table)('$name', ({ definition, operation }) => {
  const { inputSchema, outputSchema, annotations = {} } = definition

  test('has a title and a description of at least one sentence', () => {
    expect(definition.title).toMatch(/^[A-Z]/)
    expect(definition.description).toMatch(/^[A-Z].{20,}\.$/)
  })

  test('takes a strict object without unions, in which every field has a description', () => {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref', '$defs'])
      expect(inputSchema).not.toHaveProperty(keyword)
    for (const field of Object.values(inputSchema.properties ?? {}))
      expect(field).toHaveProperty('description')
  })

  test('has no argument for the space, which the key determines', () => {
    expect(inputSchema.properties).not.toHaveProperty('subdomain')
    expect(inputSchema.required ?? []).not.toContain('subdomain')
  })

  test('declares an output object with known fields and without $ref', () => {
    expect(outputSchema?.type).toBe('object')
    expect(Object.keys(outputSchema?.properties ?? {})).not.toHaveLength(0)
    for (const node of nodes(outputSchema)) expect(node).not.toHaveProperty('$ref')
  })

  test('sets all four hints to match its behavior', () => {
    expect(annotations).toEqual(hintsOf(facts[operation.name]!))
  })

  test('has advice for every error it can return', () => {
    const codes = errorCodesOf(operation).filter(code => !BEFORE_A_CALL.has(code))
    const missing = codes.filter(code => advice[code] === undefined)
    expect(missing.map(code => `add advice for \`${code}\` to facades/mcp/advice.ts`)).toEqual([])
  })
})

test.each(toolServers)(
  'at $path, if the description of a field says that part of the value is removed, the field has no pattern',
  server => {
    const fields = prepareServer(appRouter, server).list.tools.flatMap(tool => nodes(tool.inputSchema))
    const contradictory = fields.filter(
      ({ pattern, description }) => pattern && typeof description === 'string' && /removed/.test(description),
    )
    expect(contradictory).toEqual([])
  },
)

describe.each(toolServers)('the arguments at $path', server => {
  const { tools } = prepareServer(appRouter, server).list
  const ajv = formats.default(new Ajv2020({ strict: false }))
  const fields = tools.flatMap(({ name, inputSchema }) =>
    nodes(inputSchema).flatMap(node =>
      Object.entries((node.properties ?? {}) as Record<string, Record<string, unknown>>).map(
        ([field, schema]) => ({ tool: name, field, schema }),
      ),
    ),
  )

  test('have examples where their form is not obvious', () => {
    const unclear = new Set(['slug', 'key', 'handle', 'tags'])
    const without = fields.filter(
      ({ tool, field, schema }) =>
        (unclear.has(field) || (field === 'edits' && tool === 'edit_data')) && schema.examples === undefined,
    )
    expect(without.map(({ tool, field }) => `${tool}.${field}`)).toEqual([])
  })

  test('have only examples that their schemas accept', () => {
    const rejected = fields.flatMap(({ tool, field, schema: { examples = [], ...schema } }) =>
      (examples as unknown[])
        .filter(example => !ajv.validate(schema, example))
        .map(example => `${tool}.${field}: ${JSON.stringify(example)}`),
    )
    expect(rejected).toEqual([])
  })
})

test('only advice about failed writes says that nothing was written', () => {
  expect(adviceFor({ type: 'mutation' }, 'validation_failed')).toMatch(/^Nothing was written\. /)
  expect(adviceFor({ type: 'query' }, 'validation_failed')).toBe(advice.validation_failed)
})

test.each(toolServers)('advice at $path names only tools that the server offers', server => {
  const offered = prepareServer(appRouter, server).tools
  const all = toolServers.flatMap(each => [...prepareServer(appRouter, each).tools.keys()])
  const wrong = [...offered.values()].flatMap(({ operation, definition }) =>
    codesOfTool(operation).flatMap(code =>
      [...new Set(all)]
        .filter(
          name => !offered.has(name) && new RegExp(`\\b${name}\\b`).test(adviceFor(operation, code) ?? ''),
        )
        .map(name => `${definition.name}, ${code}: ${name}`),
    ),
  )
  expect(wrong).toEqual([])
})

test('there is no advice for errors that tools cannot return', () => {
  const codes = new Set<string>([
    ...table.flatMap(({ operation }) => errorCodesOf(operation)),
    ...Object.values(studioTools).flatMap(({ errors }) => errors),
  ])
  expect(Object.keys(advice).filter(code => !codes.has(code))).toEqual([])
})

test('put_data says that its value is JSON and not a string containing JSON', () => {
  const { definition } = table.find(({ name }) => name === 'put_data')!
  expect(definition.inputSchema.properties).toHaveProperty(
    'value.description',
    expect.stringMatching(/Any JSON.*a string.* is stored as a string/),
  )
})

test('update tools need a field besides the id', () => {
  const { definition } = table.find(({ name }) => name === 'update_page')!
  expect(definition.inputSchema).toMatchObject({ required: ['page_id'], minProperties: 2 })
})
