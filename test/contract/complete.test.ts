import { describe, expect, test } from 'vitest'
import { advice } from '../../facades/mcp/advice.ts'
import { errorCodesOf } from '../../facades/openapi/error-codes.ts'
import type { Operation } from '../../facades/operations/list.ts'
import { apis } from '../../facades/shared/apis.ts'
import { space } from '../openapi/space-scenarios.ts'
import { user } from '../openapi/user-scenarios.ts'
import { facts } from './facts.ts'
import { gapsOf, isCallable, operations } from './operations.ts'

/** Returns a message for each error that an operation declares but no scenario in `test/openapi` causes. */
const uncausedErrorsOf = (operation: Operation) => {
  const { name, meta } = operation
  const { failureSetups } = meta.api === 'space' ? space : user
  return errorCodesOf(operation)
    .filter(code => !(code in failureSetups))
    .map(
      code =>
        `\`${code}\` of \`${name}\` has no entry in test/openapi/${meta.api}-scenarios.ts; add how to cause it`,
    )
}

/** Returns a message for each error that a tool declares but that has no advice for the agent. */
const unadvisedErrorsOf = ({ name, meta: { tool, errors = [] } }: Operation) =>
  errors
    .filter(code => tool && advice[code] === undefined)
    .map(code => `\`${code}\` of \`${name}\` has no entry in facades/mcp/advice.ts; add what to do next`)

/** Returns a message for each tag that an operation has but its API does not describe. */
const undescribedTagsOf = ({ name, meta }: Operation) =>
  meta
    .openapi!.tags!.filter(tag => !apis.some(api => api.name === meta.api && tag in api.tags))
    .map(tag => `The tag \`${tag}\` of \`${name}\` is missing in facades/shared/apis.ts; add its description`)

test('every operation has an entry in facts.ts, a described tag, a scenario for each error, and advice for each tool error', () => {
  expect(
    operations.flatMap(operation => [
      ...gapsOf(operation),
      ...undescribedTagsOf(operation),
      ...uncausedErrorsOf(operation),
      ...unadvisedErrorsOf(operation),
    ]),
  ).toEqual([])
})

test('every entry in test/contract/facts.ts belongs to an operation', () => {
  const names = new Set(operations.map(({ name }) => name))
  expect(Object.keys(facts).filter(name => !names.has(name))).toEqual([])
})

describe.each(operations.filter(isCallable))('$name', ({ name, method, path, meta }) => {
  test('is declared as test/contract/facts.ts says', () => {
    const { route, scopes, status, errors, tool, bodyLimit, conditional } = facts[name]!
    expect({
      route: `${method} ${path}`,
      scopes: meta.scopes ?? [],
      status: meta.status ?? 200,
      errors: [...(meta.errors ?? [])].toSorted(),
      tool: meta.tool?.name ?? null,
      bodyLimit: meta.bodyLimit,
      conditional: meta.conditional,
    }).toEqual({ route, scopes, status, errors: [...errors].toSorted(), tool, bodyLimit, conditional })
  })
})
