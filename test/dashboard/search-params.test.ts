/** The search parameters of the dashboard's views. A wrong value is ignored, as if it were missing. */
import { describe, expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../../facades/admin/ui/search-params.ts'
import {
  accountAuditSearch,
  comparisonSearch,
  fileSearch,
  historySearch,
  keySearch,
  newPageSearch,
  newPartSearch,
  newPostSearch,
  newRecordSearch,
  pageSearch,
  postSearch,
  recordSearch,
  spaceAuditSearch,
  tokenSearch,
} from '../../facades/admin/view-search.ts'

const LONG = 'x'.repeat(1000)

/** For each type of parameter: values that no parameter of this type accepts. */
const WRONG = {
  id: ['-1', '["a"]', LONG, 'abcdefghijklmno1'],
  change: ['1e9', '{"a":1}', LONG, '7-event-home'],
  minute: ['abc', '2026-02-31T10:00', '9999-12-31T23:59', '2026-11-23'],
  day: ['-1', '2026-02-31', '9999-12-31', '2026-11-23T14:05'],
  name: ['__proto__', 'toString', '["grid"]', LONG],
  offset: ['-1', '1e9', '12345678', ''],
  pointer: ['rows', '/\0', `/${'x'.repeat(2000)}`, ''],
  flag: ['1e9', '["true"]', 'false', '1'],
  text: ['\0', ' ', '', LONG],
} as const

type Type = keyof typeof WRONG
type Search = Record<string, string>

/** For each view: what reads its parameters, and a right value of each with its type. */
const VIEWS: [view: string, read: (search: Search) => object, right: Record<string, [Type, string]>][] = [
  ['the posts', postSearch, { show: ['name', 'drafts'] }],
  ['a new post', newPostSearch, { format: ['name', 'html'], draft: ['id', 'abcdefghijkmnpqr'] }],
  [
    'the log of an account',
    accountAuditSearch,
    {
      topic: ['name', 'sign_ins'],
      who: ['text', 'ann'],
      from: ['day', '2026-11-23'],
      to: ['day', '2028-02-29'],
    },
  ],
  [
    'the log of a space',
    spaceAuditSearch,
    {
      topic: ['name', 'domains'],
      who: ['text', 'ann'],
      from: ['day', '1970-01-01'],
      to: ['day', '2999-12-31'],
    },
  ],
  [
    'the tokens',
    tokenSearch,
    {
      issue: ['flag', 'true'],
      rotate: ['id', 'abcdefghijkmnpqr'],
      revoke: ['id', '2345678923456789'],
      usage: ['id', 'abcdefghijkmnpqr'],
    },
  ],
  [
    'the keys',
    keySearch,
    {
      issue: ['flag', 'true'],
      rotate: ['id', 'abcdefghijkmnpqr'],
      revoke: ['id', 'abcdefghijkmnpqr'],
      usage: ['id', 'abcdefghijkmnpqr'],
      connect: ['flag', 'true'],
      computer: ['flag', 'true'],
    },
  ],
  [
    'a page',
    newPageSearch,
    { draft: ['id', 'abcdefghijkmnpqr'], example: ['name', 'welcome'], at: ['offset', '120'] },
  ],
  ['a part', newPartSearch, { draft: ['id', 'abcdefghijkmnpqr'], at: ['offset', '0'] }],
  [
    'a record',
    newRecordSearch,
    { draft: ['id', 'abcdefghijkmnpqr'], key: ['text', 'events'], at: ['pointer', '/rows/0'] },
  ],
  [
    'a place in a record',
    newRecordSearch,
    { draft: ['id', 'abcdefghijkmnpqr'], key: ['text', 'events'], at: ['offset', '120'] },
  ],
  ['the pages', pageSearch, { sort: ['name', 'changed'] }],
  ['the data', recordSearch, { q: ['text', '1e9'] }],
  ['the files', fileSearch, { q: ['text', '["a"]'], sort: ['name', 'size'], layout: ['name', 'grid'] }],
  [
    'the history',
    historySearch,
    {
      kind: ['name', 'page'],
      thing: ['text', 'home'],
      actor: ['id', 'abcdefghijkmnpqr'],
      when: ['name', 'between'],
      from: ['minute', '2026-11-23T14:05'],
      to: ['minute', '2026-11-24T00:00'],
      undo: ['flag', 'true'],
    },
  ],
  [
    'a comparison',
    comparisonSearch,
    { from: ['change', '7-page-abcdefghijkmnpqr'], to: ['change', '12-record-a key'] },
  ],
]

const rightValues = (right: Record<string, [Type, string]>): Search =>
  Object.fromEntries(Object.entries(right).map(([name, [, value]]) => [name, value]))

/** The parameters that a view shows, as the router would write them into the address. */
const shown = (read: (search: Search) => object, search: Search): Search =>
  parseSearch(stringifySearch(read(parseSearch(stringifySearch(search))) as Search))

describe.each(VIEWS)('%s', (_, read, right) => {
  test('keeps every right parameter', () => {
    expect(shown(read, rightValues(right))).toEqual(rightValues(right))
  })

  test.each(
    Object.entries(right).flatMap(([name, [type]]) => WRONG[type].map(value => [name, value] as const)),
  )('ignores %s=%s', (name, value) => {
    const search = { ...rightValues(right), [name]: value }
    const left = read(search) as Search
    expect(left[name]).toBeUndefined()
    // The router would use the unchecked value of a missing key.
    expect(Object.keys(left).sort()).toEqual(Object.keys(right).sort())
    expect(shown(read, search)).not.toHaveProperty(name)
  })

  test('ignores a parameter that it does not have', () => {
    expect(shown(read, { ...rightValues(right), constructor: 'x', unknown: 'x' })).toEqual(rightValues(right))
  })
})

describe('the history', () => {
  test.each([
    ['an item without its kind', { thing: 'home' }],
    ['the ends of a period without the period', { from: '2026-11-23T14:05', to: '2026-11-24T00:00' }],
    ['an undo without an actor', { undo: 'true' }],
    ['an undo with a wrong actor', { undo: 'true', actor: '-1' }],
  ])('ignores %s', (_name, search: Search) => {
    expect(shown(historySearch, search)).toEqual({})
  })
})

test('a link sets a flag to true, and text that looks like a number or a list stays text', () => {
  expect(stringifySearch({ issue: true, rotate: undefined })).toBe('?issue=true')
  expect(stringifySearch({ rotate: undefined })).toBe('')
  expect(parseSearch('?q=1e9')).toEqual({ q: '1e9' })
  expect(parseSearch(stringifySearch({ q: '["a"] & b=c' }))).toEqual({ q: '["a"] & b=c' })
})
