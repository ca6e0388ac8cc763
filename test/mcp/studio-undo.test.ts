import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepareServer } from '../../facades/mcp/prepare-server.ts'
import { toolServers } from '../../facades/mcp/servers.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { appRouter } from '../../routers/index.ts'
import { classification, createVictim, type Victim } from '../access/classification.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { useTestService } from '../support/test-service.ts'
import { toolClient } from './support/tool-client.ts'

const service = useTestService()
beforeAll(() => {
  // Tests must not use the internet. test/mcp/upload-from-url.test.ts covers fetching with a local host.
  service.core.fetchFile = async url => ({ bytes: Buffer.from('fetched'), url })
})

const studio = prepareServer(appRouter, toolServers.find(({ path }) => path === '/mcp/studio')!)
// Creating an upload link changes nothing that can be undone; test/mcp/upload-link.test.ts undoes an upload. Undoing
// brings back content, not the name and icon of the space; test/mcp/studio-edits.test.ts changes them back.
const notUndone = new Set(['uploadLinks.create', 'space.update'])
const writing = [...studio.tools].filter(
  ([, { operation }]) => operation.type === 'mutation' && !notUndone.has(operation.name),
)

/** Returns the content of all spaces, without the order of creation and the columns that every write changes. */
const content = async (): Promise<unknown> => {
  const tables = ['pages', 'parts', 'data_records', 'files']
  const rows = await Promise.all(
    tables.map(
      async table =>
        (
          await sql<{ rest: unknown }>`
            select to_jsonb(t) - array['updated_at', 'version', 'position'] as rest
            from ${sql.table(table)} as t order by 1`.execute(service.core.database)
        ).rows,
    ),
  )
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]]))
}

/**
 * Returns arguments with which a tool changes content. `restore` needs a change whose result differs from the current
 * state, and `undo` an operation; the other tools use the arguments in `classification.ts`.
 */
const argumentsFor = async (procedure: string, victim: Victim): Promise<Record<string, unknown>> => {
  const { owner, subdomain } = victim.space
  if (procedure === 'history.restore' || procedure === 'history.undo') {
    const page_id = victim.path.page_id!
    await owner.pages.update({ subdomain, page_id, html: 'changed since' })
    const { changes } = await owner.history.list({ subdomain, thing: page_id })
    const creation = { change_id: changes.at(-1)!.id, side: 'after' as const }
    if (procedure === 'history.restore') return creation
    const { operation } = await owner.history.restore({ subdomain, ...creation })
    return { operation }
  }
  const access = classification[procedure]!
  if (access.kind !== 'space') throw new Error(`${procedure} is not classified as a procedure of a space`)
  const { subdomain: _, ...args } = access.input(victim)!
  return args
}

test('the studio has tools that write', () => {
  expect(writing.length).toBeGreaterThan(10)
})

describe.each(writing)('%s', (name, { operation }) => {
  test('records who changed what, and its changes can be undone', async () => {
    const victim = await createVictim(service)
    const { owner, subdomain, key } = victim.space
    const args = await argumentsFor(operation.name, victim)
    const before = await content()
    const known = new Set((await owner.history.list({ subdomain })).changes.map(({ id }) => id))

    const secret = await key(...SPACE_SCOPES)
    const result = await toolClient(service, '/mcp/studio', secret, '2026-07-28').call(name, args)
    expect({ isError: result.isError, content: result.content }).toMatchObject({ isError: undefined })
    expect(await content()).not.toEqual(before)

    const { changes } = await owner.history.list({ subdomain })
    const made = changes.filter(({ id }) => !known.has(id))
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(change => change.operation)).size).toBe(1)
    expect(made.map(({ actor }) => actor.kind)).toEqual(made.map(() => 'space_key'))

    // The key is new, so these are all its changes.
    const { actor, at } = made.at(-1)!
    await owner.history.undo({ subdomain, actor: actor.id, since: at })
    expect(await content()).toEqual(before)
    expect((await sql.raw(HISTORY_FAULTS).execute(service.core.database)).rows).toEqual([])
  })
})
