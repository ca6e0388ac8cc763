import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { prepareServer } from '../../facades/mcp/prepare-server.ts'
import { toolServers } from '../../facades/mcp/servers.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { appRouter } from '../../routers/index.ts'
import { classification, createVictim } from '../access/classification.ts'
import { studioTools } from '../contract/studio-tools.ts'
import { breakTables, restoreTables } from '../openapi/scenario.ts'
import { useTestService } from '../support/test-service.ts'
import { hideTable } from './support/hide-table.ts'
import { protocols, type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService()
beforeAll(() => {
  // Tests must not use the internet. test/mcp/upload-from-url.test.ts covers fetching with a local host.
  service.core.fetchFile = async url => ({ bytes: Buffer.from('fetched'), url })
})
afterEach(() => restoreTables(service))

const at = (path: string) => prepareServer(appRouter, toolServers.find(server => server.path === path)!)
const studio = at('/mcp/studio')
const contract = [...at('/mcp').tools.keys()]
const table = Object.entries(studioTools)

/** Creates an account with a space, and returns the arguments with which a tool succeeds in that space. */
const prepare = async (procedure: string) => {
  const victim = await createVictim(service)
  const access = classification[procedure]!
  if (access.kind !== 'space') throw new Error(`${procedure} is not classified as a procedure of a space`)
  const { subdomain: _, ...args } = access.input(victim)!
  return { space: victim.space, args }
}

const problemIn = ({ content }: ToolResult) => JSON.parse(content[0]!.text) as { code: string }

test('/mcp/studio lists the tools of the contract first, then its additional tools', () => {
  expect([...studio.tools.keys()]).toEqual([...contract, ...[...studio.tools.keys()].slice(contract.length)])
  expect([...studio.tools.keys()].slice(contract.length).toSorted()).toEqual(
    table.map(([, { name }]) => name).toSorted(),
  )
})

test('/mcp/readonly has every tool that changes nothing, and no other', () => {
  const reading = [...studio.tools].filter(([, { definition }]) => definition.annotations?.readOnlyHint)
  const { tools } = at('/mcp/readonly')
  expect([...tools.keys()]).toEqual(reading.map(([name]) => name))
  for (const [, { name, isReadOnly }] of table) expect(tools.has(name)).toBe(isReadOnly)
})

describe.each(table)('%s', (procedure, { name, scopes, errors, hints, table: read }) => {
  const { operation, definition } = studio.tools.get(name)!

  test('is declared as test/contract/studio-tools.ts says', () => {
    expect({
      procedure: operation.name,
      scopes: operation.meta.scopes ?? [],
      errors: [...(operation.meta.errors ?? [])].toSorted(),
      hints: definition.annotations,
    }).toEqual({ procedure, scopes, errors: [...errors].toSorted(), hints })
  })

  test.each(protocols)('returns a result that matches its output schema, protocol %s', async protocol => {
    const { space, args } = await prepare(procedure)
    const client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), protocol)
    const { isError, structuredContent, content } = await client.call(name, args)
    expect({ isError, content }).toMatchObject({ isError: undefined })
    expect(content[0]!.text).toBe(JSON.stringify(structuredContent))
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(definition.outputSchema!)
    expect({ valid: validate(structuredContent), errors: validate.errors }).toEqual({
      valid: true,
      errors: null,
    })
  })

  test('refuses unknown arguments, including `subdomain`', async () => {
    const { space, args } = await prepare(procedure)
    const client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), '2025-11-25')
    for (const more of [{ color: 'red' }, { subdomain: space.subdomain }])
      expect(problemIn(await client.call(name, { ...args, ...more }))).toMatchObject({
        code: 'validation_failed',
        errors: [{ field: Object.keys(more)[0] }],
      })
  })

  test.each(['internal_error', 'unavailable'] as const)(
    'returns %s if a table that it needs cannot be read',
    async code => {
      const { space, args } = await prepare(procedure)
      const client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), '2025-11-25')
      if (code === 'internal_error') await hideTable(service, read)
      else await breakTables(service, [read])
      expect(problemIn(await client.call(name, args)).code).toBe(code)
    },
  )
})

test.each(table.filter(([, { scopes }]) => scopes.length > 0))(
  '%s refuses a key without its scope',
  async (procedure, { name, scopes }) => {
    const { space, args } = await prepare(procedure)
    const others = SPACE_SCOPES.filter(scope => !scopes.includes(scope))
    const client = toolClient(service, '/mcp/studio', await space.key(...others), '2026-07-28')
    expect(problemIn(await client.call(name, args)).code).toBe('insufficient_scope')
  },
)
