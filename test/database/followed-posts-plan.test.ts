import { Client } from 'pg'
import { expect, test } from 'vitest'
import { newId } from '../../db/id.ts'
import { listFollowedPosts } from '../../db/queries/follows.ts'
import { explain, isPlanned, nodesOf, rowsRead } from '../support/plans.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'

const FOLLOWED = 1_000
const POSTS = 100_000
const PAGE = 21
const reader = newId()

const quiet = useQuietService(async url => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into accounts (id, handle, created_at) select $1, 'reader', now()
     union all select 'author' || n, 'author' || n, now() from generate_series(1, ${FOLLOWED * 2}) as n`,
    [reader],
  )
  await client.query(
    `insert into follows (follower_id, followed_id, created_at)
     select $1, 'author' || n, now() from generate_series(1, ${FOLLOWED}) as n`,
    [reader],
  )
  await client.query(
    `insert into follows (follower_id, followed_id, created_at)
     select 'author' || n, 'author' || n % 900 + other, now()
     from generate_series(1, ${FOLLOWED}) as n, generate_series(${FOLLOWED + 1}, ${FOLLOWED + 20}) as other`,
  )
  // Half of the posts are by people that the reader does not follow.
  await client.query(
    `insert into posts (id, author_id, format, html, tags, published_at, created_at, updated_at)
     select 'post' || n, 'author' || 1 + n * 7919 % ${FOLLOWED * 2}, 'rich', repeat('x', 200), '{}', at, at, at
     from generate_series(1, ${POSTS}) as n, lateral (select '2026-01-01'::timestamptz + n * interval '1 s' as at) as time`,
  )
  await client.query('vacuum analyze posts, follows, accounts')
  await client.end()
})

test.each([
  ['the first page', null],
  ['a page in the middle', { at: new Date('2026-01-01T12:00:00Z'), position: '1' }],
])(
  'listing %s of the posts by 1000 followed people, among 100,000 posts, uses indexes and reads few rows',
  async (_, after) => {
    const sql = quiet.service.core.database
    const list = () => listFollowedPosts(sql, reader, { after, bodyLength: 100 })
    const { result, statements } = await recorded(list)
    expect(result).toHaveLength(PAGE)
    const [statement, ...others] = statements.filter(isPlanned)
    expect(others).toEqual([])
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await quiet.client.query(`set plan_cache_mode = ${mode}`)
      const plan = await explain(quiet.client, statement!)
      const scanned = nodesOf(plan).filter(node => node['Node Type'] === 'Seq Scan')
      expect(scanned.map(node => node['Relation Name'])).toEqual([])
      // For each followed person, the plan reads one entry. Several nodes of the plan count this entry. For each
      // person on the page, the plan also reads a page of entries. Finally, the plan reads the listed posts. The
      // followed people have 50,000 posts. The plan does not read all of them.
      expect(rowsRead(plan)).toBeLessThan(4 * FOLLOWED + PAGE * PAGE + 10 * PAGE)
    }
  },
)

test('the page has the newest posts of the followed people', async () => {
  const sql = quiet.service.core.database
  const listed = await listFollowedPosts(sql, reader, { after: null, bodyLength: 100 })
  const { rows } = await quiet.client.query<{ id: string }>(
    `select id from posts where author_id in (select followed_id from follows where follower_id = $1)
     order by published_at desc, position desc limit ${PAGE}`,
    [reader],
  )
  expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
})
