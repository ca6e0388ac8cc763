import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ApiDocument } from '../../facades/openapi/document.ts'
import type { Operation } from '../../facades/operations/list.ts'
import type { Api } from '../../facades/shared/apis.ts'
import type { ErrorCode } from '../../routers/api/errors.ts'
import { isCallable } from '../contract/operations.ts'
import { useTestService } from '../support/test-service.ts'
import { descriptions } from './descriptions.ts'
import { documentChecker, type WireResponse } from './document-checker.ts'
import { fewOfEach, restoreTables, type Scenario, type Scenarios, sendRequest } from './scenario.ts'
import { space } from './space-scenarios.ts'
import { user } from './user-scenarios.ts'

const service = useTestService({ callsPerMinute: 2, creationLimits: fewOfEach })

// The cast is safe because each scenario is used only with the API that prepared it.
const SCENARIOS = { space, user } as unknown as Record<Api['name'], Scenarios<Scenario>>

/** The operations of each API, the errors that they document, and the errors that they must not return. */
const apis = descriptions.map(({ api, document, operations }) => {
  const { errorCodesOf } = documentChecker(document)
  // Skip operations that the tests cannot call yet, and errors that they cannot cause; test/contract/complete.test.ts
  // reports them.
  const rows = operations.filter(isCallable).map(operation => {
    const entry = document.paths[operation.path]![operation.method.toLowerCase()]!
    return { id: entry.operationId, operation, codes: errorCodesOf(entry) as ErrorCode[] }
  })
  const scenarios = SCENARIOS[api.name]
  const failures = rows.flatMap(({ codes, ...row }) =>
    codes.filter(code => code in scenarios.failureSetups).map(code => ({ ...row, code })),
  )
  const undeclared = rows.flatMap(({ codes, ...row }) =>
    Object.entries(scenarios.fields)
      .filter(([code, field]) => field in row.operation.input.shape && !codes.includes(code as ErrorCode))
      .map(([code]) => ({ ...row, code: code as ErrorCode })),
  )
  return { api, rows, failures, undeclared, scenarios }
})

describe.each(apis)('the $api.title', ({ api, rows, failures, undeclared, scenarios }) => {
  let document: ApiDocument
  let checker: ReturnType<typeof documentChecker>

  beforeAll(async () => {
    document = (await (await fetch(service.root + api.documentPath)).json()) as ApiDocument
    checker = documentChecker(document)
  })

  afterEach(() => restoreTables(service))

  const exampleOf = ({ path, method }: Operation) =>
    document.paths[path]![method.toLowerCase()]!.requestBody?.content['application/json'].example

  const errorsOf = ({ path, method }: Operation, response: WireResponse) =>
    checker.responseErrors(path, method.toLowerCase(), response)

  test.each(rows)('$id accepts its documented example and responds as documented', async ({ operation }) => {
    const { request } = await scenarios.prepare(service, operation, exampleOf(operation))
    const response = await sendRequest(service, operation, request)
    expect(response.status).toBe(operation.meta.status ?? 200)
    expect(errorsOf(operation, response)).toEqual([])
  })

  test.each(failures)('$id returns $code as documented', async ({ operation, code }) => {
    const scenario = await scenarios.prepare(service, operation, exampleOf(operation))
    const change = await scenarios.failureSetups[code]!(scenario)
    const response = await sendRequest(service, operation, { ...scenario.request, ...change })
    expect((JSON.parse(response.text) as { code: string }).code).toBe(code)
    expect(errorsOf(operation, response)).toEqual([])
  })

  test.each(undeclared)('$id never returns the undeclared code $code', async ({ operation, code }) => {
    const scenario = await scenarios.prepare(service, operation, exampleOf(operation))
    const change = await Promise.resolve(scenarios.failureSetups[code]!(scenario)).catch(() => ({}))
    const response = await sendRequest(service, operation, { ...scenario.request, ...change })
    expect(errorsOf(operation, response)).toEqual([])
  })

  test.each(['not_found', 'method_not_allowed'])('%s has the documented body', async code => {
    const path = code === 'not_found' ? '/v1/nowhere' : `/v1${rows[0]!.operation.path}`
    const response = await fetch(service.root + path, { method: 'OPTIONS' })
    const body = (await response.json()) as { code: string }
    expect(body.code).toBe(code)
    expect(checker.schemaErrors(body, '#/components/schemas/Problem')).toEqual([])
  })
})

describe('the document checker', () => {
  const { document } = descriptions[0]!
  const { responseErrors } = documentChecker(document)
  const problem = (code: string, status: number) => ({
    status,
    headers: new Headers({ 'content-type': 'application/problem+json', 'x-request-id': 'k3v9mq2xw7ab5r8t' }),
    text: JSON.stringify({ type: 'https://docs.garden.test/#x', title: 'No', status, code }),
  })
  const page = '/spaces/{subdomain}/pages/{page_id}'

  test('accepts an error that the operation declares', () => {
    expect(responseErrors(page, 'get', problem('page_not_found', 404))).toEqual([])
  })

  test.each([
    ['an error of another operation', problem('part_not_found', 404)],
    ['a status that the operation does not declare', problem('slug_taken', 409)],
    ['a code with the status of another code', problem('page_not_found', 403)],
    ['an unknown code', problem('nonsense', 404)],
    ['another media type', { ...problem('page_not_found', 404), headers: new Headers() }],
    ['a 401 without WWW-Authenticate', problem('unauthorized', 401)],
    [
      'an error without the reference of the call',
      {
        ...problem('page_not_found', 404),
        headers: new Headers({ 'content-type': 'application/problem+json' }),
      },
    ],
    ['a successful response without rate limit headers', { ...problem('x', 200), headers: new Headers() }],
  ])('rejects %s', (_what, response) => {
    expect(responseErrors(page, 'get', response)).not.toEqual([])
  })
})
