import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { protocols, toolClient } from '../mcp/support/tool-client.ts'
import { withoutHistory } from '../support/history.ts'
import { errorCodeOf } from '../support/problems.ts'
import { shifted } from '../support/shifted-time.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

/** Backdates all rows of a table. `minutes` is an SQL expression. */
const age = (table: string, minutes: string) => {
  const older = (column: string) => `${column} = ${shifted(column, `- interval '1 minute' * (${minutes})`)}`
  const columns = table === 'data_records' ? ['updated_at'] : ['created_at', 'updated_at']
  return withoutHistory(service.core.database, db =>
    sql.raw(`update ${table} set ${columns.map(older).join()}`).execute(db),
  )
}

describe('the overview of a space', () => {
  test('is empty for a new space', async () => {
    const person = await service.signUp()
    const { subdomain } = await person.spaces.create({ subdomain: 'empty-one', name: 'Empty' })
    expect(await person.spaces.overview({ subdomain })).toEqual({
      usage: {
        pages: 0,
        home_page_id: null,
        parts: 0,
        parts_length: 0,
        records: 0,
        data_bytes: 0,
        files: 0,
        file_bytes: 0,
        participants: 1,
        keys: 0,
        is_used_by_agent: false,
        is_edited: false,
      },
      limits: { pages: 5000, parts: 1000, files: 10_000, participants: 500 },
      changes: [],
    })
  })

  test('counts usage in the units of the quotas: parts in characters, data and files in bytes', async () => {
    const { owner, subdomain } = await service.createSpace()
    await owner.pages.create({ subdomain, slug: 'home', html: 'x' })
    await owner.parts.create({ subdomain, name: 'one', html: '🌱é' })
    await owner.parts.create({ subdomain, name: 'two', html: 'abc' })
    await owner.data.put({ subdomain, key: 'plants', value: ['é'] })
    await owner.files.create({
      subdomain,
      name: 'a.txt',
      encoding: 'text',
      content: '12345',
    })
    expect((await owner.spaces.overview({ subdomain })).usage).toMatchObject({
      pages: 1,
      parts: 2,
      parts_length: 5,
      records: 1,
      data_bytes: 6,
      files: 1,
      file_bytes: 5,
    })
  })

  test('names the home page', async () => {
    const { owner, subdomain } = await service.createSpace()
    await owner.pages.create({ subdomain, slug: 'about', html: 'x' })
    const homePage = async () => (await owner.spaces.overview({ subdomain })).usage.home_page_id
    expect(await homePage()).toBeNull()
    const { id } = await owner.pages.create({ subdomain, slug: 'index', html: 'x' })
    expect(await homePage()).toBe(id)
  })

  test('lists recent changes of every kind, newest first', async () => {
    const { owner, subdomain } = await service.createSpace()
    const page = await owner.pages.create({ subdomain, slug: 'home', html: 'x' })
    const part = await owner.parts.create({ subdomain, name: 'head', html: 'x' })
    await owner.data.put({ subdomain, key: 'plants', value: 1 })
    const file = await owner.files.create({
      subdomain,
      name: 'a.txt',
      encoding: 'text',
      content: '1',
    })
    await owner.pages.update({ subdomain, page_id: page.id, html: 'y' })
    await age('data_records', '2')
    await age('parts', '3')
    await age('files', '1')
    const { changes } = await owner.spaces.overview({ subdomain })
    expect(changes.map(({ kind, id, name, is_new }) => [kind, id, name, is_new])).toEqual([
      ['page', page.id, 'home', false],
      ['file', file.id, 'a.txt', true],
      ['record', 'plants', 'plants', true],
      ['part', part.id, 'head', true],
    ])
  })

  test('lists the last eight changes', async () => {
    const { owner, subdomain } = await service.createSpace()
    for (let i = 0; i < 10; i++) await owner.data.put({ subdomain, key: `k${i}`, value: i })
    await age('data_records', "ascii('9') - ascii(right(key, 1))")
    const { changes } = await owner.spaces.overview({ subdomain })
    expect(changes.map(({ name }) => name)).toEqual(['k9', 'k8', 'k7', 'k6', 'k5', 'k4', 'k3', 'k2'])
  })

  describe('`is_used_by_agent` in the overview', () => {
    const isUsedByAgent = async ({ owner, subdomain }: TestSpace) => {
      await service.core.lastUsed.flush()
      return (await owner.spaces.overview({ subdomain })).usage.is_used_by_agent
    }

    test('stays false when a program uses REST', async () => {
      const space = await service.createSpace()
      await space.api.get('/pages')
      expect(await isUsedByAgent(space)).toBe(false)
      expect((await space.owner.keys.list({ subdomain: space.subdomain }))[0]!.last_used_at).not.toBeNull()
    })

    test.each(protocols)('is true once an agent has listed the tools with protocol %s', async protocol => {
      const space = await service.createSpace()
      const secret = await space.key('pages')
      await service.rest(secret, `/v1/spaces/${space.subdomain}`).get('/pages')
      expect(await isUsedByAgent(space)).toBe(false)
      await toolClient(service, '/mcp', secret, protocol).tools()
      expect(await isUsedByAgent(space)).toBe(true)
      await service.rest(secret, `/v1/spaces/${space.subdomain}`).get('/pages')
      expect(await isUsedByAgent(space)).toBe(true)
    })

    test('stays false when the agent’s requests are rejected', async () => {
      const space = await service.createSpace()
      const client = toolClient(service, '/mcp', await space.key('pages'), '2025-11-25')
      const none = toolClient(service, '/mcp', 'ss_sk_nobody', '2025-11-25')
      expect((await none.send('tools/list')).status).toBe(401)
      expect((await client.send('', {}, { message: '{' })).error).toBeDefined()
      expect((await client.send('no/such')).error).toBeDefined()
      expect(await isUsedByAgent(space)).toBe(false)
    })
  })

  test('shows nothing from other spaces, and only participants can read it', async () => {
    const mine = await service.createSpace()
    const theirs = await service.createSpace()
    await theirs.owner.pages.create({ subdomain: theirs.subdomain, slug: 'home', html: 'x' })
    const overview = await mine.owner.spaces.overview({ subdomain: mine.subdomain })
    expect([overview.usage.pages, overview.changes]).toEqual([0, []])
    const call = mine.owner.spaces.overview({ subdomain: theirs.subdomain })
    expect(await errorCodeOf(call)).toBe('space_not_found')
    expect(await errorCodeOf(service.anonymous().spaces.overview({ subdomain: mine.subdomain }))).toBe(
      'sign_in_required',
    )
  })
})
