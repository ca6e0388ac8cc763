import { beforeEach, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

let space: TestSpace
beforeEach(async () => {
  space = await service.createSpace()
})

const history = () => space.owner.history
const subdomain = () => space.subdomain
type Id = { id: string }

describe('comparing two versions', () => {
  it('returns both versions with their changes; the second version is the current one by default', async () => {
    const { id } = (await space.api.post<Id>('/pages', { slug: 'about', html: 'one' })).body
    for (const html of ['two', 'three']) await space.api.patch(`/pages/${id}`, { html })
    const [third, second, first] = (await history().list({ subdomain: subdomain(), thing: id })).changes
    const compared = await history().compare({ subdomain: subdomain(), from: first!.id, to: second!.id })
    expect(compared).toMatchObject({
      from: { text: 'one', name: 'about' },
      from_change: { id: first!.id },
      to: { text: 'two' },
      to_change: { id: second!.id },
    })
    const withNow = await history().compare({ subdomain: subdomain(), from: first!.id })
    expect(withNow).toMatchObject({ from: { text: 'one' }, to: { text: 'three' }, to_change: null })
    await space.api.delete(`/pages/${id}`)
    expect(await history().compare({ subdomain: subdomain(), from: third!.id })).toMatchObject({
      from: { text: 'three' },
      to: null,
    })
  })

  it('refuses changes of different items', async () => {
    for (const key of ['one', 'two']) await space.api.put(`/data/${key}`, { value: 1 })
    const [two, one] = (await history().list({ subdomain: subdomain() })).changes
    const comparing = history().compare({ subdomain: subdomain(), from: one!.id, to: two!.id })
    expect(await errorCodeOf(comparing)).toBe('validation_failed')
  })

  it('tells apart files of the same size, and returns the bytes of both', async () => {
    const { id } = (
      await space.api.post<Id>('/files', { name: 'a.svg', content: '<svg id="1"/>', encoding: 'text' })
    ).body
    await space.api.patch(`/files/${id}`, { content: '<svg id="2"/>', encoding: 'text' })
    const [second, first] = (await history().list({ subdomain: subdomain(), thing: id })).changes
    const { from, to } = await history().compare({
      subdomain: subdomain(),
      from: first!.id,
      to: second!.id,
    })
    expect([from!.content_type, to!.content_type]).toEqual(['image/svg+xml', 'image/svg+xml'])
    expect(from!.size).toBe(to!.size)
    const texts = []
    for (const { digest } of [from!, to!]) {
      const { base64 } = await history().picture({ subdomain: subdomain(), digest: digest! })
      texts.push(Buffer.from(base64!, 'base64').toString())
    }
    expect(texts).toEqual(['<svg id="1"/>', '<svg id="2"/>'])
  })

  it.each<[what: string, name: string, contents: Buffer[], texts: (string | null)[]]>([
    [
      'the text of both versions of a text file',
      'a.css',
      [Buffer.from('a { top: 1 }\n'), Buffer.from('ä')],
      ['a { top: 1 }\n', 'ä'],
    ],
    ['no text of a file that is not UTF-8', 'a.css', [Buffer.from([0xe4]), Buffer.from('a')], [null, 'a']],
    ['no text of a binary file', 'a.bin', [Buffer.from('a\0b'), Buffer.from([0x89, 0x50])], [null, null]],
    [
      'no text of a large file',
      'a.txt',
      [Buffer.alloc(262_145, 'a'), Buffer.alloc(262_144, 'a')],
      [null, 'a'.repeat(262_144)],
    ],
  ])('returns %s', async (_what, name, contents, texts) => {
    const [first, second] = contents.map(content => ({
      content: content.toString('base64'),
      encoding: 'base64',
    }))
    const { id } = (await space.api.post<Id>('/files', { name, ...first })).body
    await space.api.patch(`/files/${id}`, second!)
    const [latest, creation] = (await history().list({ subdomain: subdomain(), thing: id })).changes
    const { before, after } = await history().get({ subdomain: subdomain(), change_id: latest!.id })
    expect([before!.text, after!.text]).toEqual(texts)
    const { from, to } = await history().compare({ subdomain: subdomain(), from: creation!.id })
    expect([from!.text, to!.text]).toEqual(texts)
  })

  it('returns no bytes of another space, or of a file above the size limit', async () => {
    const other = await service.createSpace()
    const large = 'x'.repeat(5_242_881)
    for (const content of ['small', large])
      await space.api.post('/files', { name: `${content.length}.txt`, content, encoding: 'text' })
    const { changes } = await history().list({ subdomain: subdomain() })
    const digests = []
    for (const { id } of changes) {
      const { after } = await history().get({ subdomain: subdomain(), change_id: id })
      digests.push(after!.digest!)
    }
    const read = async (owner: TestSpace, digest: string) =>
      (await owner.owner.history.picture({ subdomain: owner.subdomain, digest })).base64
    expect(await read(space, digests[1]!)).toBe(Buffer.from('small').toString('base64'))
    expect(await read(other, digests[1]!)).toBeNull()
    expect(await read(space, digests[0]!)).toBeNull()
  })
})

describe('the authors of changes', () => {
  it('are each listed once with the time of their latest change, newest first', async () => {
    const { owner, api, apiWith } = space
    expect(await history().actors({ subdomain: subdomain() })).toEqual([])
    await api.put('/data/a', { value: 1 })
    await owner.data.put({ subdomain: subdomain(), key: 'b', value: 1 })
    const other = await apiWith('data')
    await other.put('/data/c', { value: 1 })
    for (const key of ['d', 'e']) await api.put(`/data/${key}`, { value: 1 })
    const actors = await history().actors({ subdomain: subdomain() })
    const { changes } = await history().list({ subdomain: subdomain() })
    expect(actors).toEqual(
      [changes[0]!, changes[2]!, changes[3]!].map(({ actor, at }) => ({ ...actor, last_change_at: at })),
    )
  })
})

it('a version can be read while the page is being changed', async () => {
  const { owner, api } = space
  const { body: page } = await api.post<{ id: string }>('/pages', { slug: 'page', html: 'first' })
  for (let n = 0; n < 60; n++) {
    const [latest] = (await owner.history.list({ subdomain: subdomain(), thing: page.id })).changes
    const [state, comparison] = await Promise.all([
      owner.history.get({ subdomain: subdomain(), change_id: latest!.id }),
      owner.history.compare({ subdomain: subdomain(), from: latest!.id }),
      api.patch(`/pages/${page.id}`, { html: `version ${n}` }),
    ])
    expect([state.after?.text, comparison.from?.text]).toEqual(
      Array(2).fill(n === 0 ? 'first' : `version ${n - 1}`),
    )
  }
})
