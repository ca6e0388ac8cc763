import { Client } from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { contentTables } from '../../db/entities.ts'
import { violatedConstraint } from '../../db/errors.ts'
import { keepObject, stageObject } from '../../db/queries/objects.ts'
import { inTransaction } from '../../db/transaction.ts'
import { starters } from '../../routers/api/rules.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { bodyOf, pathOf, spaceOperations } from '../contract/operations.ts'
import { fillSpace } from '../contract/resources.ts'
import { request } from '../space-api/support/http.ts'
import { copyDatabase } from '../support/database.ts'
import {
  DISTRIBUTED,
  partitionContent,
  partitionIn,
  relationsOf,
  runDistribution,
  triggersOf,
} from '../support/partitions.ts'
import { isPlanned } from '../support/plans.ts'
import { testPng } from '../support/png.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'
import { requestHost } from '../support/request-host.ts'
import { faultsOf } from '../support/routing.ts'
import type { Statement } from '../support/statements.ts'
import { uniqueName } from '../support/test-service.ts'

// The partitions represent the servers to which content can be distributed. PostgreSQL limits a statement to a single
// partition only if the statement makes clear which space it is about.
const quiet = useQuietService(partitionContent)

const UNKNOWN_ID = 'a'.repeat(16)

/**
 * Returns the statements that read or write several partitions of the content. A statement is returned if its plan
 * contains several partitions, or if `faultsOf` says that the statement is not restricted to one space.
 */
const spread = async (statements: readonly Statement[]): Promise<string[]> => {
  const found: string[] = []
  for (const statement of statements.filter(isPlanned)) {
    const isRead = faultsOf(statement.text, statement.values).some(({ fault }) => fault === 'spaces')
    if (isRead || (await partitionsOf(statement)).size > 1) found.push(statement.text)
  }
  return found
}

const partitionsOf = async (statement: Statement): Promise<Set<string>> =>
  new Set((await relationsOf(quiet.client, statement)).flatMap(name => partitionIn(name) ?? []))

/** Matches a statement that writes in a `with` clause. Citus runs it on all servers, so it fails while one is down. */
const NEEDS_ALL_SERVERS = /^\s*with\b.*\bas (materialized )?\(\s*(insert into|update|delete from)\b/is

describe('every statement reads and writes one partition of the content', () => {
  test.each(spaceOperations)('$title', async row => {
    const space = await quiet.service.createSpace()
    const secret = await space.key(...SPACE_SCOPES)
    const path = pathOf(row, await fillSpace(space))
    const { result, statements } = await recorded(() =>
      request(quiet.service.root, row.operation.method, path, {
        headers: {
          Authorization: `Bearer ${secret}`,
          ...(row.operation.takesBody ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(row.operation.takesBody ? { body: JSON.stringify(bodyOf(row)) } : {}),
      }),
    )
    expect(result.status).toBe(row.facts.status)
    expect(await spread(statements)).toEqual([])
    expect(statements.filter(({ text }) => NEEDS_ALL_SERVERS.test(text))).toEqual([])
  })

  test('when visitors open a site, a page and a file', async () => {
    const space = await quiet.service.createSpace()
    const { page_id, file_id } = await fillSpace(space)
    const template = '{{ site.name }} {{ pages.size }} {{ data.size }} {{ files.size }}'
    await space.api.post('/pages', { slug: 'visited', html: template, kind: 'static' })
    const { result, statements } = await recorded(() =>
      Promise.all([
        requestHost(quiet.service, `${space.subdomain}.sites.localhost`, '/visited'),
        requestHost(quiet.service, `${space.subdomain}.sites.localhost`, '/'),
        requestHost(quiet.service, `${page_id}.pages.localhost`),
        requestHost(quiet.service, `${file_id}.files.localhost`),
        requestHost(quiet.service, 'unknown.sites.localhost'),
        requestHost(quiet.service, `${UNKNOWN_ID}.pages.localhost`),
        requestHost(quiet.service, `${UNKNOWN_ID}.files.localhost`),
      ]),
    )
    expect(result.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 404, 404])
    expect(await spread(statements)).toEqual([])
  })

  test('when participants use the dashboard', async () => {
    const { subdomain, owner, api } = await quiet.service.createSpace()
    for (const value of [1, 2]) await api.put('/data/a', { value })
    const page = await owner.pages.create({ subdomain, slug: 'index', html: 'x' })
    const { statements } = await recorded(async () => {
      await owner.spaces.overview({ subdomain })
      await owner.spaces.findItems({ subdomain, text: 'a' })
      await owner.pages.update({ subdomain, page_id: page.id, html: 'y' })
      const { changes } = await owner.history.list({ subdomain })
      await owner.history.restore({ subdomain, change_id: changes[0]!.id, side: 'before' })
      const { actor, at } = changes.at(-1)!
      await owner.history.undo({ subdomain, actor: actor.id, since: at })
      for (const background of ['#000000', '#ffffff'])
        await owner.spaces.setIcon({ subdomain, png: await testPng({ width: 256, height: 256, background }) })
      await owner.spaces.create({ subdomain: uniqueName('filled'), name: 'Filled', starter: starters[0] })
    })
    expect(await spread(statements)).toEqual([])
    expect(statements.filter(({ text }) => NEEDS_ALL_SERVERS.test(text))).toEqual([])
  })

  test('when the bytes of a file are in a file store', async () => {
    const { id } = await quiet.service.core.database
      .selectFrom('spaces')
      .select('id')
      .executeTakeFirstOrThrow()
    const digest = Buffer.alloc(32)
    const { statements } = await recorded(() =>
      inTransaction(quiet.service.core.database, async sql => {
        await stageObject(sql, { spaceId: id, digest, object: 'object', size: 3 })
        await keepObject(sql, id, digest, 'object', 3)
      }),
    )
    expect(await spread(statements)).toEqual([])
    expect(statements.filter(({ text }) => NEEDS_ALL_SERVERS.test(text))).toEqual([])
  })
})

test('distribute.sql distributes all tables of content', () => {
  expect(Object.keys(DISTRIBUTED)).toEqual(contentTables)
})

test('no foreign key connects content with the directory', async () => {
  const client = new Client({ connectionString: await copyDatabase(inject('database')) })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query<{ key: string }>(
    `select conrelid::regclass || ' to ' || confrelid::regclass as key from pg_constraint
     where contype = 'f' and (conrelid::regclass::text = any($1)) <> (confrelid::regclass::text = any($1)) order by 1`,
    [contentTables],
  )
  expect(rows).toEqual([])
})

test('`distribute.sql` leaves the triggers of content as the migrations create them', async () => {
  const client = new Client({ connectionString: await copyDatabase(inject('database')) })
  await client.connect()
  onTestFinished(() => client.end())
  const before = await triggersOf(client, contentTables)
  expect(before).not.toEqual([])
  await runDistribution(client)
  expect(await triggersOf(client, contentTables)).toEqual(before)
})

test('every unique index of a content table includes the space', async () => {
  const { rows } = await quiet.client.query<{ name: string }>(
    `select index.indexrelid::regclass::text as name
     from jsonb_each_text($1) as given (name, dividing)
       join pg_index as index on index.indrelid = given.name::regclass and index.indisunique
     where not exists (select from pg_attribute
       where attrelid = index.indrelid and attname = dividing and attnum = any(index.indkey))`,
    [JSON.stringify(DISTRIBUTED)],
  )
  expect(rows).toEqual([])
})

describe('the constraint that a statement violated', () => {
  const violation = async (change: (error: Error & { constraint?: string }) => void = () => {}) => {
    const statement = `insert into blobs (space_id, digest, bytes, size) values ('s', 'd', 't', 1)`
    await quiet.client.query('begin')
    try {
      await quiet.client.query(statement)
      await quiet.client.query(statement)
    } catch (error) {
      change(error as Error)
      return error
    } finally {
      await quiet.client.query('rollback')
    }
    return undefined
  }

  test('has the name that the table gives it, not the name in a partition or shard', async () => {
    expect(await violation()).toHaveProperty('constraint', expect.stringMatching(/^blobs_pkey_\d+$/))
    expect(violatedConstraint(await violation())).toBe('blobs_pkey')
  })

  test('is found in the message of an error from another server', async () => {
    expect(violatedConstraint(await violation(error => delete error.constraint))).toBe('blobs_pkey')
  })

  test('is undefined if the error is of another kind or names no constraint', () => {
    expect(violatedConstraint(Object.assign(new Error('"bodies_pkey"'), { code: '42P01' }))).toBeUndefined()
    expect(violatedConstraint(Object.assign(new Error('no name'), { code: '23505' }))).toBeUndefined()
    expect(violatedConstraint(undefined)).toBeUndefined()
  })
})
