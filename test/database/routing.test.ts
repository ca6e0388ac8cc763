import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { leftoverCleaner } from '../../db/deleted-spaces.ts'
import { countAccountContents } from '../../db/queries/accounts.ts'
import { findSpacesOfAccount } from '../../db/queries/find.ts'
import { findPicture } from '../../db/queries/history.ts'
import { keptIn } from '../../db/queries/moved-bytes.ts'
import {
  expireObjects,
  forgetObjects,
  giveUpObjects,
  hasObjects,
  listObjectsToDelete,
} from '../../db/queries/objects.ts'
import { revisionsOf } from '../../db/queries/spaces.ts'
import { testPng } from '../support/png.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'
import { type Fault, faultsOf } from '../support/routing.ts'
import { applies, EXCEPTIONS, unexpectedFaults } from '../support/unrouted.ts'

const kindsOf = (text: string, parameters: readonly unknown[]): Fault[] =>
  faultsOf(text, parameters).map(({ fault }) => fault)

describe('a statement that Citus can send to one server', () => {
  test.each([
    'select id from accounts where handle = $2',
    'select html from pages where space_id = $1 and id = $2',
    `select html from "pages" as "page" where "page"."space_id" = $1::text and (id = $2 or slug = $2)`,
    'select revision from spaces where id = $1 for no key update',
    'select * from pages as page join spaces as space on space.id = page.space_id where page.space_id = $1',
    'select * from pages join spaces on spaces.id = $1 where pages.space_id = $1',
    'select * from spaces as space left join pages as page on page.space_id = $1 where space.id = $1',
    'select * from spaces as space left join pages as page on page.space_id = space.id where space.id = $1',
    'select (select count(*) from files where files.space_id = space.id) from spaces as space where space.id = $1',
    'select 1 where exists (select from pages where space_id = $1)',
    'select id from pages where space_id = $1 union all select id from parts where space_id = $1',
    'with found as (select space_id, id from pages where space_id = $1) select * from parts join found on parts.space_id = found.space_id',
    'with recursive a (id) as (select id from pages where space_id = $1 union all select id from a) select * from a',
    'select * from spaces, lateral (select * from pages where space_id = spaces.id limit 1) as page where spaces.id = $1',
    `insert into blobs (space_id, digest, bytes, size) values ($1, 'd', 't', 1) on conflict do nothing`,
    'insert into blobs (digest, space_id) select digest, space_id from files where space_id = $1',
    'with gone as (delete from blobs where space_id = $1 returning space_id, digest) insert into unused_objects (space_id, digest) select space_id, digest from gone',
    'update pages as item set slug = change.thing from (select change.* from changes as change where change.space_id = $1) as change where item.space_id = $1',
    'update pages set slug = $2 where space_id = $1 and id = $2 returning slug',
    'delete from pages using unnest($2::text[]) as given (id) where space_id = $1 and pages.id = given.id',
  ])('%s', text => {
    expect(faultsOf(text, ['space', 'other'])).toEqual([])
  })
})

describe('a statement that Citus cannot send to one server', () => {
  test.each<[string, ...Fault[]]>([
    ['select html from pages where id = $2', 'spaces'],
    ['select html from pages where space_id = $1 or id = $2', 'spaces'],
    ['select html from pages where space_id = any($1)', 'spaces'],
    ['select html from pages where not (space_id = $1)', 'spaces'],
    ['select html from pages where space_id > $1', 'spaces'],
    ['select id from spaces where subdomain = $2', 'spaces'],
    ['select * from pages join parts on pages.id = parts.id where pages.space_id = $1', 'spaces'],
    ['select * from spaces as space left join pages as page on page.slug = $2 where space.id = $1', 'spaces'],
    ['select * from pages left join spaces on spaces.id = pages.space_id and spaces.id = $1', 'spaces'],
    ['select * from pages left join spaces on spaces.id = $1 and pages.space_id = $1', 'spaces'],
    ['select * from pages where space_id = $1 union all select * from pages where slug = $2', 'spaces'],
    ['select * from pages, parts where pages.space_id = $1 and parts.space_id = $2', 'spaces'],
    ['select (select count(*) from files) from spaces where id = $1', 'spaces'],
    ['select from spaces where id = $1 and exists (select from pages where slug = $2)', 'spaces'],
    ['with found as (select * from pages) select 1', 'spaces'],
    ['update pages set slug = $1 where id = $2', 'spaces'],
    ['update pages set slug = parts.name from parts where pages.space_id = $1', 'spaces'],
    ['delete from pages where id = $2', 'spaces'],
    ['insert into blobs (space_id, digest) select $1, digest from files', 'spaces'],
    ['insert into blobs (space_id, digest) select space_id, digest from files', 'spaces'],
    [`insert into blobs (space_id, digest) values ($1, 'd'), ($2, 'd')`, 'spaces'],
    [
      'select * from files left join accounts on accounts.id = uploaded_by_id where files.space_id = $1',
      'join',
    ],
    ['select (select handle from accounts where id = $2) from files where space_id = $1', 'join'],
    ['select * from participants, pages where pages.space_id = participants.space_id', 'spaces', 'join'],
    ['select * from pages where id in (select thing from drafts where space_id = $1)', 'spaces', 'join'],
    [
      'insert into changes (space_id, revision) values ($1, (select revision from spaces where id = $1))',
      'form',
    ],
    ['insert into blobs (space_id) values ($1) returning (select id from spaces where id = $1)', 'form'],
    ['with a as (select 1) insert into blobs (space_id) values ($1)', 'form'],
    ['update spaces set revision = random() where id = $1', 'form'],
    [`update pages set updated_at = updated_at + interval '1 ms' where space_id = $1`, 'form'],
    [
      'with recursive a (id) as (select id from pages where space_id = $1) select * from a, accounts',
      'join',
      'form',
    ],
  ])('%s', (text, ...faults) => {
    expect(kindsOf(text, ['space', 'other'])).toEqual(faults)
    expect(unexpectedFaults(text, ['space', 'other'])).toHaveLength(faults.length)
  })
})

describe('every entry of EXCEPTIONS', () => {
  const quiet = useQuietService()

  test('matches a statement of the service, and lists exactly the faults of this statement', async () => {
    const { core } = quiet.service
    const { subdomain, owner, api } = await quiet.service.createSpace()
    const db = core.database
    const png = await testPng({ width: 256, height: 256 })
    const { statements } = await recorded(async () => {
      await hasObjects(db)
      await api.put('/data/a', { value: 1 })
      await api.post('/files', { name: 'a.txt', content: 'x', encoding: 'text' })
      await api.get('/files')
      await owner.spaces.setIcon({ subdomain, png })
      await owner.spaces.setIcon({ subdomain, png })
      await findSpacesOfAccount(db, 'unknown', '', 1)
      await revisionsOf(db, ['unknown', 'another'])
      const digest = hash('sha256', 'x', 'buffer')
      await findPicture(db, 'unknown', digest, 1)
      await countAccountContents(db, 'unknown')
      await leftoverCleaner(core.database)()
      for await (const _ of keptIn(db, 'database')) {
        // Ignore the results: the test needs only the statements.
      }
      const objects = [{ spaceId: 'unknown', digest, object: 'o' }]
      await giveUpObjects(db, objects)
      await expireObjects(db, { staged: new Date(), freed: new Date() }, 1)
      await listObjectsToDelete(db, 1)
      await forgetObjects(db, objects)
    })
    const unused = Object.entries(EXCEPTIONS).filter(
      ([, exception]) => !statements.some(({ text, values }) => applies(exception, text, values)),
    )
    expect(unused.map(([name]) => name)).toEqual([])
  })
})
