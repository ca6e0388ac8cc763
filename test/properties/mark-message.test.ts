import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readMark } from '../../facades/admin/preview/mark-message.ts'

it.each([
  [
    'an element',
    { on: 'pick', mark: 2, rect: [1, 2, 3, 4] },
    { mark: 2, rect: { left: 1, top: 2, width: 3, height: 4 } },
  ],
  ['an element that a script made', { on: 'point', mark: null, rect: [0, 0, 1, 1] }, { mark: null }],
  ['no element', { on: 'point', mark: null, rect: null }, { rect: null }],
  [
    'an element far away',
    { on: 'track', mark: 0, rect: [-1e12, 0, 1e12, -5] },
    { rect: { left: -1e6, width: 1e6, height: 0 } },
  ],
  [
    'more than a number and a rectangle',
    { on: 'pick', mark: 0, rect: null, text: 'x', html: 'y' },
    { on: 'pick', mark: 0, rect: null },
  ],
])('a message about %s is read', (_, message, expected) => {
  const read = readMark(message, 3)
  expect(read).toMatchObject(expected)
  expect(Object.keys(read!)).toEqual(['on', 'mark', 'rect'])
})

it.each([
  ['an unknown kind', { on: 'save', mark: 0, rect: null }],
  ['a mark that the draft does not have', { on: 'pick', mark: 3, rect: null }],
  ['a negative mark', { on: 'pick', mark: -1, rect: null }],
  ['a fraction', { on: 'pick', mark: 0.5, rect: null }],
  ['a text as a mark', { on: 'pick', mark: '0', rect: null }],
  ['an object as a mark', { on: 'pick', mark: { valueOf: 0 }, rect: null }],
  ['no rectangle', { on: 'pick', mark: 0 }],
  ['a rectangle with three sides', { on: 'pick', mark: 0, rect: [1, 2, 3] }],
  ['an infinite rectangle', { on: 'pick', mark: 0, rect: [1, 2, Number.POSITIVE_INFINITY, 4] }],
  ['a rectangle of texts', { on: 'pick', mark: 0, rect: ['1', '2', '3', '4'] }],
  ['an object as a rectangle', { on: 'pick', mark: 0, rect: { left: 1, length: 4 } }],
])('a message with %s is ignored', (_, message) => {
  expect(readMark(message, 3)).toBeUndefined()
})

it('no message makes the dashboard fail', () => {
  fc.assert(
    fc.property(fc.anything(), message => {
      expect(() => readMark(message, 3)).not.toThrow()
    }),
  )
})
