import type { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodesOf, plansOf, rowsRead } from '../support/plans.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'
import type { TestSpace } from '../support/test-service.ts'

const CHANGES = 100_000
const PAGES = 200

const quiet = useQuietService()
let client: Client
let space: TestSpace

beforeAll(async () => {
  client = quiet.client
  space = await quiet.service.createSpace()
})

describe('a space with 100,000 changes', () => {
  let actor: string
  let last: Date
  beforeAll(async () => {
    await space.api.put('/data/first', { value: 1 })
    const { rows } = await client.query<{ actor: string }>('select actor from writes')
    actor = rows[0]!.actor
    const numbers = `generate_series(1000, ${CHANGES + 999}) as n`
    await client.query(
      `insert into writes (space_id, revision, at, cause, actor_kind, actor, account)
       select space_id, n, now() - (${CHANGES + 999} - n) * interval '1 minute', 'write', actor_kind,
         case n % 10 when 0 then actor else 'other-' || n % 10 end, account
       from writes, ${numbers}`,
    )
    await client.query(
      `insert into changes (space_id, revision, kind, thing, before, after, size)
       select space_id, n, (array['page', 'part', 'record', 'file'])[n % 4 + 1], 'thing-' || n % 60, '{"name": "a"}',
         '{"name": "b"}', 0
       from changes, ${numbers}`,
    )
    await client.query('analyze writes, changes')
    last = (await client.query<{ last: Date }>('select max(at) as last from writes')).rows[0]!.last
  })

  /** Returns the time `minutes` before the last change. The changes are a minute apart. */
  const minutesAgo = (minutes: number) => new Date(last.getTime() - minutes * 60_000).toISOString()
  const filters: [string, () => object][] = [
    ['all', () => ({})],
    ['of a kind', () => ({ kind: 'file' })],
    ['of an item', () => ({ kind: 'page', thing: 'thing-4' })],
    ['of an actor', () => ({ actor })],
    ['from the middle of the list', () => ({ cursor: `${CHANGES / 2}-page-thing-0` })],
  ]

  /**
   * Expects that a list uses indexes, and reads little more than 50 changes with their writes: one more to see whether
   * there is another page, the steps of the search for a time, and the changes that the filter skips.
   */
  const expectToReadFew = async (statements: Parameters<typeof plansOf>[1]) => {
    const plans = await plansOf(client, statements)
    const nodes = plans
      .flatMap(nodesOf)
      .filter(node => /^(changes|writes)$/.test(node['Relation Name'] ?? ''))
    expect(nodes.map(node => node['Node Type'])).not.toContain('Seq Scan')
    expect(plans.reduce((sum, plan) => sum + rowsRead(plan), 0)).toBeLessThan(51 * 15)
  }

  it.each(filters)(
    'uses an index to list 50 changes, without reading or sorting the others: %s',
    async (_name, filter) => {
      const list = () => space.owner.history.list({ subdomain: space.subdomain, ...filter() })
      const { result, statements } = await recorded(list)
      expect(result.changes).toHaveLength(50)
      await expectToReadFew(statements)
    },
  )

  const times: [string, number, () => { since?: string; until?: string }][] = [
    ['50 changes since two days ago', 50, () => ({ since: minutesAgo(2 * 24 * 60) })],
    ['50 changes until a time long ago', 50, () => ({ until: minutesAgo(CHANGES - 1_000) })],
    ['the few changes since half an hour ago', 31, () => ({ since: minutesAgo(30.5) })],
    [
      'the few changes between two times',
      30,
      () => ({ since: minutesAgo(5_030.5), until: minutesAgo(5_000.5) }),
    ],
  ]

  it.each(times)('lists %s, and reads few other changes', async (_name, count, filter) => {
    const list = () => space.owner.history.list({ subdomain: space.subdomain, ...filter() })
    const { result, statements } = await recorded(list)
    expect(result.changes).toHaveLength(count)
    await expectToReadFew(statements)
  })

  it('lists the authors of changes without reading all changes of each author', async () => {
    const { result, statements } = await recorded(() =>
      space.owner.history.actors({ subdomain: space.subdomain }),
    )
    // Every tenth change was made by the key, and the others by nine other actors.
    expect(result).toHaveLength(10)
    const plans = await plansOf(client, statements)
    expect(plans.reduce((sum, plan) => sum + rowsRead(plan), 0)).toBeLessThan(10 * 10)
  })

  it('finds a change by its time, even if the clock was set back and earlier changes have later times', async () => {
    await client.query("update writes set at = at - interval '40 minutes' where revision = $1", [
      CHANGES + 999 - 4_970,
    ])
    const { changes } = await space.owner.history.list({
      subdomain: space.subdomain,
      since: minutesAgo(5_030.5),
      until: minutesAgo(5_000.5),
    })
    expect(changes).toHaveLength(31)
    expect(changes[0]!.id).toMatch(new RegExp(`^${CHANGES + 999 - 4_970}-`))
  })
})

describe('a space of 200 pages', () => {
  it('is restored with one call and a few statements', async () => {
    const { api, owner, subdomain } = await quiet.service.createSpace()
    const ids = []
    for (let n = 0; n < PAGES; n++) {
      const { body } = await api.post<{ id: string }>('/pages', {
        slug: `page-${n}`,
        html: `<p>${n}</p>`.repeat(500),
      })
      ids.push(body.id)
    }
    const read = async () => (await api.get<{ data: { id: string; slug: string }[] }>('/pages')).body.data
    const before = await read()
    for (const id of ids) await owner.pages.delete({ subdomain, page_id: id })
    expect(await read()).toEqual([])
    const [deletion] = (await owner.history.list({ subdomain })).changes
    const { result, statements } = await recorded(() =>
      owner.history.undo({ subdomain, actor: deletion!.actor.id, since: new Date(0).toISOString() }),
    )
    expect(result.steps).toHaveLength(PAGES)
    expect((await read()).map(({ id, slug }) => [id, slug])).toEqual(before.map(({ id, slug }) => [id, slug]))
    // Not one for each page. What the service sends in the background meanwhile may be among them.
    expect(statements.length).toBeLessThan(PAGES / 5)
  })
})
