import { describe, expect, test } from 'vitest'
import { facts } from './facts.ts'
import { gapsOf, isCallable, operations } from './operations.ts'

test('every operation can be called by the tests over all operations', () => {
  expect(operations.flatMap(gapsOf)).toEqual([])
})

test('every entry in test/contract/facts.ts belongs to an operation', () => {
  const names = new Set(operations.map(({ name }) => name))
  expect(Object.keys(facts).filter(name => !names.has(name))).toEqual([])
})

describe.each(operations.filter(isCallable))('$name', ({ name, method, path, meta }) => {
  test('is declared as the contract says', () => {
    const { route, scopes, status, errors, tool, bodyLimit } = facts[name]!
    expect({
      route: `${method} ${path}`,
      scopes: meta.scopes ?? [],
      status: meta.status ?? 200,
      errors: [...(meta.errors ?? [])].toSorted(),
      tool: meta.tool?.name ?? null,
      bodyLimit: meta.bodyLimit,
    }).toEqual({ route, scopes, status, errors: [...errors].toSorted(), tool, bodyLimit })
  })
})
