import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../facades/openapi/apis.ts'
import type { ApiDocument } from '../../facades/openapi/document.ts'
import type { Operation } from '../../facades/operations.ts'
import type { ErrorCode } from '../../routers/core/errors.ts'
import { useWorld } from '../support/world.ts'
import { conformityWith, type WireAnswer } from './conformity.ts'
import { descriptions } from './described.ts'
import { type Request, type Situation, type Situations, tidyUp } from './situation.ts'
import { space } from './space-situations.ts'
import { user } from './user-situations.ts'

const world = useWorld({ callsPerMinute: 2 })

// Each API's own situations go only where they came from.
const SITUATIONS = { space, user } as unknown as Record<Api['name'], Situations<Situation>>

/** Every operation and, for each, every failure of its documented ones. */
const apis = descriptions.map(({ api, document, operations }) => {
  const { codesOf } = conformityWith(document)
  const rows = operations.map(operation => {
    const entry = document.paths[operation.path]![operation.method.toLowerCase()]!
    return { id: entry.operationId, operation, codes: codesOf(entry) as ErrorCode[] }
  })
  const situations = SITUATIONS[api.name]
  const failures = rows.flatMap(({ codes, ...row }) => codes.map(code => ({ ...row, code })))
  const undeclared = rows.flatMap(({ codes, ...row }) =>
    Object.entries(situations.fields)
      .filter(([code, field]) => field in row.operation.input.shape && !codes.includes(code as ErrorCode))
      .map(([code]) => ({ ...row, code: code as ErrorCode })),
  )
  return { api, rows, failures, undeclared, situations }
})

const send = async ({ method, path }: Operation, request: Request): Promise<WireAnswer> => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => request.path[name]!)
  const { secret, type = 'application/json', body } = request
  const response = await fetch(`${world.root}/v1${address}`, {
    method,
    headers: { ...(secret ? { authorization: `Bearer ${secret}` } : {}), 'content-type': type },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe.each(apis)('the $api.title', ({ api, rows, failures, undeclared, situations }) => {
  let document: ApiDocument
  let conformity: ReturnType<typeof conformityWith>

  beforeAll(async () => {
    document = (await (await fetch(world.root + api.documentPath)).json()) as ApiDocument
    conformity = conformityWith(document)
  })

  afterEach(() => tidyUp(world))

  const exampleOf = ({ path, method }: Operation) =>
    document.paths[path]![method.toLowerCase()]!.requestBody?.content['application/json'].example

  const faultsOf = ({ path, method }: Operation, answer: WireAnswer) =>
    conformity.answerFaults(path, method.toLowerCase(), answer)

  test.each(rows)('$id succeeds with the documented example, as documented', async ({ operation }) => {
    const { request } = await situations.prepare(world, operation, exampleOf(operation))
    const answer = await send(operation, request)
    expect(answer.status).toBe(operation.meta.status ?? 200)
    expect(faultsOf(operation, answer)).toEqual([])
  })

  test.each(failures)('$id fails with $code, as documented', async ({ operation, code }) => {
    const situation = await situations.prepare(world, operation, exampleOf(operation))
    const provoke = situations.provocations[code]
    if (!provoke) throw new Error(`Nothing here brings about ${code}`)
    const answer = await send(operation, { ...situation.request, ...(await provoke(situation)) })
    expect((JSON.parse(answer.text) as { code: string }).code).toBe(code)
    expect(faultsOf(operation, answer)).toEqual([])
  })

  test.each(undeclared)(
    '$id never fails with $code, which it does not declare',
    async ({ operation, code }) => {
      const situation = await situations.prepare(world, operation, exampleOf(operation))
      const change = await Promise.resolve(situations.provocations[code]!(situation)).catch(() => ({}))
      const answer = await send(operation, { ...situation.request, ...change })
      expect(faultsOf(operation, answer)).toEqual([])
    },
  )

  test.each(['not_found', 'method_not_allowed'])('%s has the documented body', async code => {
    const path = code === 'not_found' ? '/v1/nowhere' : `/v1${rows[0]!.operation.path}`
    const response = await fetch(world.root + path, { method: 'OPTIONS' })
    const body = (await response.json()) as { code: string }
    expect(body.code).toBe(code)
    expect(conformity.schemaFaults(body, '#/components/schemas/Problem')).toEqual([])
  })
})

describe('an answer falls outside the document', () => {
  const { document } = descriptions[0]!
  const { answerFaults } = conformityWith(document)
  const problem = (code: string, status: number) => ({
    status,
    headers: new Headers({ 'content-type': 'application/problem+json' }),
    text: JSON.stringify({ type: 'https://docs.garden.test/#x', title: 'No', status, code }),
  })
  const page = '/spaces/{subdomain}/pages/{page_id}'

  test('never with a failure that the operation declares', () => {
    expect(answerFaults(page, 'get', problem('page_not_found', 404))).toEqual([])
  })

  test.each([
    ['a failure of another operation', problem('part_not_found', 404)],
    ['a status that the operation does not have', problem('slug_taken', 409)],
    ['a code with the status of another', problem('page_not_found', 403)],
    ['a code that does not exist', problem('nonsense', 404)],
    ['another media type', { ...problem('page_not_found', 404), headers: new Headers() }],
    ['a 401 without its header', problem('unauthorized', 401)],
    [
      'a success without the headers that tell what is left',
      { ...problem('x', 200), headers: new Headers() },
    ],
  ])('with %s', (_what, answer) => {
    expect(answerFaults(page, 'get', answer)).not.toEqual([])
  })
})
