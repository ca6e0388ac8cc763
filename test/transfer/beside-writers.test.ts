import { beforeEach, describe, expect, test } from 'vitest'
import { HISTORY_FAULTS } from '../support/history.ts'
import { beforeStatement } from '../support/statements.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { pack, unpack } from './support/archives.ts'
import { signInMover, useMover } from './support/browser-session.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

const create = async (path: 'pages' | 'parts', fields: object) =>
  (await space.api.post<{ id: string }>(`/${path}`, { html: 'x', ...fields })).body.id

const historyFaults = () => service.core.database.orm.em.fork().execute<unknown[]>(HISTORY_FAULTS)

/** Matches the statement that lists the parts. An import sends it after the statement that lists the pages. */
const LISTS_PARTS = /^select .* from "parts"/

describe('while others write', () => {
  test('the preview of an import shows the space as it was at one moment', async () => {
    const id = await create('pages', { slug: 'home' })
    beforeStatement(LISTS_PARTS, async () => {
      await space.api.delete(`/pages/${id}`)
      await create('parts', { name: 'home' })
    })
    const archive = await pack()
    const { status, body } = await mover.upload(space.subdomain, archive, 'delete_missing=1')
    expect([status, body.changes]).toEqual([200, [{ kind: 'page', name: 'home', action: 'delete' }]])
    const now = await mover.upload(space.subdomain, archive, 'delete_missing=1')
    expect(now.body.changes).toEqual([{ kind: 'part', name: 'home', action: 'delete' }])
  })

  test('an import applies what its preview showed, or nothing', async () => {
    const id = await create('pages', { slug: 'home' })
    const archive = await pack(
      { path: 'pages/home.html', content: 'y' },
      { path: 'parts/new.html', content: 'x' },
    )
    const { plan } = (await mover.upload(space.subdomain, archive)).body
    beforeStatement(LISTS_PARTS, () => space.api.patch(`/pages/${id}`, { html: 'theirs' }))
    const { status, body } = await mover.upload(space.subdomain, archive, `plan=${plan}`)
    expect([status, body.code]).toEqual([409, 'space_changed'])
    expect((await space.api.get(`/pages/${id}`)).body).toMatchObject({ html: 'theirs' })
    expect((await space.api.get('/parts')).body).toEqual({ data: [] })
  })

  test('an import is not refused because of changes to other items', async () => {
    const id = await create('pages', { slug: 'other' })
    const archive = await pack({ path: 'pages/home.html', content: 'y' })
    const { plan } = (await mover.upload(space.subdomain, archive)).body
    beforeStatement(LISTS_PARTS, () => space.api.patch(`/pages/${id}`, { html: 'theirs' }))
    expect((await mover.upload(space.subdomain, archive, `plan=${plan}`)).status).toBe(200)
  })

  test('previews, imports and exports end without an internal error, and each import is one operation', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    /** An archive with items of all kinds. */
    const archiveOf = (items: string[], content: string) =>
      pack(
        ...items.flatMap(name => [
          { path: `pages/${name}.html`, content: `{% render '${name}' %}${content}` },
          { path: `parts/${name}.html`, content },
          { path: `data/${name}.json`, content: JSON.stringify(content) },
          { path: `files/${name}.txt`, content },
        ]),
      )
    const { subdomain } = space
    const done = new AbortController()
    const statuses: number[] = []
    const note = ({ status }: { status: number }) => void statuses.push(status)
    /** Creates, renames and deletes items that the archive names, until the imports have ended. */
    const write = async (path: 'pages' | 'parts', field: string) => {
      for (let n = 0; !done.signal.aborted; n += 1) {
        const name = names[n % names.length]
        const { data } = (await space.api.get<{ data: Record<string, string>[] }>(`/${path}`)).body
        const contested = data.filter(item => item[field] !== 'calm')
        const [first, last] = [contested[0]?.id, contested.at(-1)?.id]
        note(await space.api.post(`/${path}`, { [field]: `${name}${n % 2 ? '' : 'x'}`, html: `${n}` }))
        note(await space.api.patch(`/${path}/${first}`, { [field]: `${name}y` }))
        note(await space.api.patch(`/${path}/${last}`, { [field]: name, html: `${n}` }))
        note(await space.api.delete(`/${path}/${n % 3 ? first : last}`))
      }
    }
    const transfer = async () => {
      const operations: string[] = []
      const put = async (archive: Buffer, query: string) => {
        const preview = await mover.upload(subdomain, archive, query)
        note(preview)
        const answer = await mover.upload(subdomain, archive, `${query}&plan=${preview.body.plan}`)
        note(answer)
        if (answer.body.operation) operations.push(answer.body.operation)
        return answer.status
      }
      try {
        for (let n = 0; n < 6; n += 1) {
          await put(await archiveOf(names, `contested ${n}`), 'delete_missing=1')
          expect(await put(await archiveOf(['calm'], `calm ${n}`), '')).toBe(200)
          const exported = await mover.download(subdomain)
          note(exported)
          const files = await unpack(Buffer.from(await exported.arrayBuffer()))
          expect(files.has('manifest.json')).toBe(true)
        }
      } finally {
        done.abort()
      }
      return operations
    }
    const [operations] = await Promise.all([transfer(), write('pages', 'slug'), write('parts', 'name')])
    expect(statuses).not.toContain(500)
    const recorded = await service.core.database
      .selectFrom('writes')
      .innerJoin('spaces', 'spaces.id', 'writes.space_id')
      .where('subdomain', '=', subdomain)
      .where('cause', '=', 'import')
      .select(['operation', 'writes.revision'])
      .distinct()
      .execute()
    expect(recorded).toHaveLength(operations.length)
    expect(new Set(recorded.map(({ operation }) => operation))).toEqual(new Set(operations))
    expect(await historyFaults()).toEqual([])
  })
})

describe('if two people import into a space at the same time', () => {
  test('one import is applied, and the other import is refused', async () => {
    const other = await signInMover(service)
    const theirs = await other.space()
    await space.join(theirs.owner)
    const archive = await pack(
      { path: 'pages/home.html', content: 'x' },
      { path: 'parts/new.html', content: 'x' },
    )
    const { plan } = (await mover.upload(space.subdomain, archive)).body
    const answers = await Promise.all(
      [mover, other].map(person => person.upload(space.subdomain, archive, `plan=${plan}`)),
    )
    expect(new Set(answers.map(({ status, body }) => body.code ?? status))).toEqual(
      new Set([200, 'space_changed']),
    )
    expect(await historyFaults()).toEqual([])
  })
})

describe('an import into a space that is deleted', () => {
  const deleteSpace = () =>
    space.owner.spaces.delete({ subdomain: space.subdomain, confirm: space.subdomain })

  test.each([
    ['before its content is read', /^set transaction isolation level repeatable read/],
    ['while its content is read', LISTS_PARTS],
    ['before it is locked', /^commit$/],
  ])('is refused if the space is deleted %s', async (_when, statement) => {
    const archive = await pack({ path: 'pages/home.html', content: 'x' })
    const { plan } = (await mover.upload(space.subdomain, archive)).body
    beforeStatement(statement, deleteSpace)
    const { status, body } = await mover.upload(space.subdomain, archive, `plan=${plan}`)
    expect([status, body.code]).toEqual([404, 'space_not_found'])
  })

  test('has no preview', async () => {
    beforeStatement(/^set transaction isolation level repeatable read/, deleteSpace)
    const { status, body } = await mover.upload(space.subdomain, await pack())
    expect([status, body.code]).toEqual([404, 'space_not_found'])
  })
})
