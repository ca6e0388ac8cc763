import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contentTables } from '../../db/entities.ts'
import { fillSpace } from '../contract/resources.ts'
import { errorCodeOf } from '../support/problems.ts'
import { useQuietService } from '../support/quiet-service.ts'
import { requestHost } from '../support/request-host.ts'
import { failStatements } from '../support/statements.ts'
import type { TestSpace } from '../support/test-service.ts'

// Simulates Citus while one content server is down: statements about spaces on that server fail with the error that the
// coordinator returns.

const quiet = useQuietService()
const CONTENT = new RegExp(`\\b(${contentTables.join('|')})\\b`)

const connectionFailure = () =>
  Object.assign(
    new Error(
      'connection to the remote node site@worker-1:5432 failed with the following error: Connection refused',
    ),
    { code: '08006' },
  )

let down: { space: TestSpace; ids: Awaited<ReturnType<typeof fillSpace>> }
let other: typeof down
let restore: () => void

beforeEach(async () => {
  const create = async () => {
    const space = await quiet.service.createSpace()
    const ids = await fillSpace(space)
    await space.api.post('/pages', { slug: 'home', html: 'x', kind: 'static' })
    return { space, ids }
  }
  down = await create()
  other = await create()
  // Visit both spaces first, so that the process remembers them when the server goes down.
  for (const { space } of [down, other]) await visit(space.subdomain)
  const { id } = await quiet.service.core.database
    .selectFrom('space_names')
    .where('subdomain', '=', down.space.subdomain)
    .select('id')
    .executeTakeFirstOrThrow()
  restore = failStatements(({ text, values }) => CONTENT.test(text) && values.includes(id), connectionFailure)
})
afterEach(() => restore())

const visit = (subdomain: string) => requestHost(quiet.service, `${subdomain}.sites.localhost`, '/home')

/**
 * Opens the site of a space and calls its API. Returns the status of each response, and whether it has a
 * `Retry-After` header.
 */
const responses = async ({ space, ids }: typeof down) => {
  const { api, subdomain } = space
  const visits = await Promise.all([
    visit(subdomain),
    requestHost(quiet.service, `${ids.page_id}.pages.localhost`),
    requestHost(quiet.service, `${ids.file_id}.files.localhost`),
  ])
  const calls = [
    await api.get('/pages'),
    await api.put('/data/a', { value: 1 }),
    await api.patch(`/pages/${ids.page_id}`, { html: 'y' }),
    await api.delete(`/files/${ids.file_id}`),
  ]
  return [
    ...visits.map(({ status, headers }) => [status, Number(headers['retry-after']) > 0]),
    ...calls.map(({ status, headers }) => [status, Number(headers.get('retry-after')) > 0]),
  ]
}

/** The statuses of `responses` for a space that works. */
const WORKING = [200, 200, 200, 200, 200, 200, 204]

describe('while a content server is down', () => {
  test('its spaces answer 503 with Retry-After, and are unchanged afterwards', async () => {
    expect(await responses(down)).toEqual(WORKING.map(() => [503, true]))
    restore()
    expect((await responses(down)).map(([status]) => status)).toEqual(WORKING)
    expect(quiet.service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })

  test('other spaces work, new ones can be created, and the process stays ready', async () => {
    expect((await responses(other)).map(([status]) => status)).toEqual(WORKING)
    const { api, owner } = await quiet.service.createSpace()
    expect((await api.put('/data/a', { value: 1 })).status).toBe(200)
    expect(await owner.spaces.list()).toHaveLength(1)
    expect((await fetch(`${quiet.service.root}/readyz`)).status).toBe(200)
  })

  test('a new space is created on another server if the server chosen first is down', async () => {
    restore()
    let attempts = 0
    restore = failStatements(
      ({ text }) => text.startsWith('insert into "spaces"') && ++attempts <= 3,
      connectionFailure,
    )
    const { api, owner, subdomain } = await quiet.service.createSpace()
    expect(attempts).toBe(4)
    expect((await api.put('/data/a', { value: 1 })).status).toBe(200)
    expect(await owner.spaces.list()).toMatchObject([{ subdomain }])
  })

  test('a new space is refused if all other servers are down too, and nothing of the space remains', async () => {
    restore()
    const owner = await quiet.service.signUp()
    restore = failStatements(({ text }) => CONTENT.test(text), connectionFailure)
    const space = { subdomain: 'refused', name: 'Refused' }
    expect(await errorCodeOf(owner.spaces.create(space))).toBe('unavailable')
    expect(await owner.spaces.list()).toEqual([])
    restore()
    await owner.spaces.create(space)
    expect(await owner.spaces.list()).toMatchObject([{ subdomain: 'refused' }])
  })

  test('its spaces are listed, and can be deleted once the server is back', async () => {
    const { owner, subdomain } = down.space
    expect(await owner.spaces.list()).toMatchObject([{ subdomain }])
    const deletion = { subdomain, confirm: subdomain }
    expect(await errorCodeOf(owner.spaces.delete(deletion))).toBe('unavailable')
    expect(await owner.spaces.list()).toMatchObject([{ subdomain }])
    restore()
    await owner.spaces.delete(deletion)
    expect(await owner.spaces.list()).toEqual([])
  })
})
