import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ASTRAL, UNSTORABLE } from '../space-api/support/texts.ts'
import type { RestClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
let api: RestClient

beforeAll(async () => {
  ;({ api } = await service.signUp())
})

const post = (tags: unknown) =>
  api.post<{ id: string; tags: string[]; errors?: { field: string }[] }>('/posts', { html: 'x', tags })

describe('tags', () => {
  it.each([
    [[], []],
    [
      ['b', 'a', 'C'],
      ['C', 'a', 'b'],
    ],
    [
      ['#b', ' # a ', 'ä'],
      ['a', 'b', 'ä'],
    ],
    [['Beans', 'beans', '#BEANS'], ['Beans']],
    [
      ['a', 'b', 'c', 'd', 'e', 'E', '#a'],
      ['a', 'b', 'c', 'd', 'e'],
    ],
    [['a'.repeat(50)], ['a'.repeat(50)]],
    [[`#${ASTRAL.repeat(50)}`], [ASTRAL.repeat(50)]],
    [
      ['\uffff', ASTRAL],
      ['\uffff', ASTRAL],
    ],
    [
      ['two words', '##x', 'a#b'],
      ['#x', 'a#b', 'two words'],
    ],
  ])('are normalized: %j become %j', async (sent, kept) => {
    const { status, body } = await post(sent)
    expect(status).toBe(201)
    expect(body.tags).toEqual(kept)
    expect((await api.get(`/posts/${body.id}`)).body.tags).toEqual(kept)
  })

  it.each([
    [['a', 'b', 'c', 'd', 'e', 'f'], ['tags']],
    [['a', ''], ['tags.1']],
    [['#'], ['tags.0']],
    [[' # '], ['tags.0']],
    [['a'.repeat(51)], ['tags.0']],
    [[ASTRAL.repeat(51)], ['tags.0']],
    [
      ['a\nb', 'ok', 'a\u0085b', 'a\u2028b'],
      ['tags.0', 'tags.2'],
    ],
    [
      [1, 'a', 'b', 'c', 'd', 'e', 'f'],
      ['tags.0', 'tags'],
    ],
    [
      [1, 2, 3, 4, 5, 6, 7],
      ['tags', ...[0, 1, 2, 3, 4, 5, 6].map(index => `tags.${index}`)],
    ],
    [[1, 'a', 'b', 'c', 'd', 'D'], ['tags.0']],
    [
      ['a\tb', 5, null],
      ['tags.0', 'tags.1', 'tags.2'],
    ],
    ['a', ['tags']],
    [{ 0: 'a' }, ['tags']],
    [null, ['tags']],
  ])('are rejected if they break a rule: %j causes errors in the fields %j', async (tags, fields) => {
    const { status, body } = await post(tags)
    expect(status).toBe(422)
    expect(new Set(body.errors!.map(({ field }) => field))).toEqual(new Set(fields))
  })

  it.each(UNSTORABLE)('are rejected if they cannot be stored without loss: %j', async tag => {
    expect((await post([tag])).status).toBe(422)
  })

  it('are returned sorted by code point, without duplicates', async () => {
    const tag = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(fc.array(tag, { maxLength: 5 }), async sent => {
        const { status, body } = await post(sent)
        const cleaned = sent.map(tag => tag.trim().replace(/^#/, '').trim())
        const isFine = !cleaned.includes('')
        expect(status).toBe(isFine ? 201 : 422)
        const kept = isFine ? body.tags : []
        expect(kept).toEqual(kept.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
        expect(cleaned).toEqual(expect.arrayContaining(kept))
        expect(kept.map(tag => tag.toLowerCase()).sort()).toEqual(
          isFine ? [...new Set(cleaned.map(tag => tag.toLowerCase()))].sort() : [],
        )
      }),
      { numRuns: 60 },
    )
  })
})
