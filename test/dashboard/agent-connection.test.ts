import { describe, expect, test } from 'vitest'
import { baselineOf, connectionOf } from '../../facades/admin/credentials/connection.ts'

type Key = Parameters<typeof connectionOf>[0][number]

const MINUTE = (n: number) => `2026-01-01T00:0${n}:00.000Z`

const key = (id: string, more: Partial<Key> = {}): Key =>
  ({
    id,
    label: `Label of ${id}`,
    hint: `hint-${id}`,
    agent: null,
    client: null,
    refused_at: null,
    ...more,
  }) as Key
const used = (id: string, at: number, more: object = {}) =>
  key(id, {
    agent: { name: `Program of ${id}`, tools: 3, problem: null, connected_at: MINUTE(at), ...more },
  })

const connection = (before: Key[], now: Key[], issued?: string) =>
  connectionOf(now, baselineOf(before), issued)

describe('the dialog that connects a program', () => {
  test('waits while no key has been used since it opened', () => {
    expect(connection([], [])).toEqual({ state: 'waiting' })
    expect(connection([used('a', 1)], [used('a', 1), key('new')], 'new')).toEqual({ state: 'waiting' })
  })

  test('reports the key that it created, even if another key connected later', () => {
    const now = [used('other', 5), used('new', 2)]
    expect(connection([key('other')], now, 'new')).toMatchObject({ program: 'Program of new' })
  })

  test('reports the latest connection if it created no key, or if that key has not connected', () => {
    const now = [used('a', 2), used('c', 4), used('b', 3), key('new')]
    for (const issued of [undefined, 'new'])
      expect(connection([key('a'), key('b'), key('c')], now, issued)).toEqual({
        state: 'connected',
        program: 'Program of c',
        tools: 3,
      })
  })

  test('reports a key that connected before, if it connects again', () => {
    expect(connection([used('a', 1), used('b', 2)], [used('a', 3), used('b', 2)])).toMatchObject({
      program: 'Program of a',
    })
  })

  test('reports a program whose calls are refused, and names a nameless program by its key', () => {
    expect(connection([], [used('a', 1, { problem: 'rate_limited' })])).toEqual({
      state: 'failing',
      program: 'Program of a',
      problem: 'rate_limited',
    })
    expect(connection([], [used('a', 1, { name: null })])).toMatchObject({ program: 'Label of a' })
  })

  test('reports an app that was approved since it opened, and no other app', () => {
    const app = key('app', { client: { id: 'x' } as never, label: 'claude-code' })
    expect(connection([], [app])).toEqual({ state: 'approved', program: 'Claude Code' })
    expect(connection([app], [app])).toEqual({ state: 'waiting' })
  })

  test('reports a wrong secret only for the key that it created', () => {
    const now = [key('a', { refused_at: MINUTE(1) }), key('new', { refused_at: MINUTE(1) })]
    expect(connection([], now, 'new')).toEqual({ state: 'refused', hint: 'hint-new' })
    expect(connection([], now)).toEqual({ state: 'waiting' })
    expect(connection([], [...now, used('b', 1)], 'new')).toMatchObject({ state: 'connected' })
  })
})
