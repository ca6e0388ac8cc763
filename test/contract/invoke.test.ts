import { expect, test } from 'vitest'
import { z } from 'zod'
import { operationsOf } from '../../facades/operations/list.ts'
import type { Context } from '../../routers/api/context.ts'
import { Problem } from '../../routers/api/problem.ts'
import { validatedInSlices } from '../../routers/api/slices.ts'
import { base, router } from '../../routers/api/trpc.ts'

const openapi = { method: 'POST', path: '/doubled' } as const
const input = z.strictObject({ number: z.number() })
const output = z.object({ number: z.number(), by: z.string() })

const operation = base
  .meta({ openapi })
  .use(({ ctx, next }) => {
    if (ctx.reference === 'refused') throw new Problem('unauthorized')
    return next({ ctx: { by: 'me' } })
  })
  .input(input)
  .output(output)
  .query(({ ctx, input: { number } }) => {
    if (number === 0) throw new Problem('page_not_found')
    return { number: number === 1 ? ('one' as unknown as number) : 2 * number, by: ctx.by, more: true }
  })

const call = (given: unknown, context: Partial<Context> = {}) =>
  operationsOf(router({ operation }))[0]!.invoke(context as Context, async () => given)

test('the function of an operation gets the parsed input and the extended context, and its output is validated', async () => {
  expect(await call({ number: 4 })).toEqual({ number: 8, by: 'me' })
})

test('an asynchronous rule of the input is awaited', async () => {
  const isEven = async (number: number) => number % 2 === 0
  const even = base
    .meta({ openapi })
    .input(z.strictObject({ number: z.number().refine(isEven) }))
    .output(z.object({ number: z.number() }))
    .query(({ input: { number } }) => ({ number }))
  const { invoke } = operationsOf(router({ even }))[0]!
  expect(await invoke({} as Context, async () => ({ number: 4 }))).toEqual({ number: 4 })
  await expect(invoke({} as Context, async () => ({ number: 3 }))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    cause: expect.any(z.ZodError),
  })
})

test.each([
  ['invalid input', { number: 'four' }, { code: 'BAD_REQUEST', cause: expect.any(z.ZodError) }],
  ['invalid output', { number: 1 }, { code: 'INTERNAL_SERVER_ERROR', cause: expect.any(z.ZodError) }],
  ['an error that the function throws', { number: 0 }, { problem: 'page_not_found' }],
])('%s rejects the call', async (_case, given, error) => {
  await expect(call(given)).rejects.toMatchObject(error)
})

test('a refused call does not read its input', async () => {
  const { invoke } = operationsOf(router({ operation }))[0]!
  const read = () => Promise.reject(new Error('read'))
  await expect(invoke({ reference: 'refused' } as Context, read)).rejects.toMatchObject({
    problem: 'unauthorized',
  })
  await expect(invoke({} as Context, read)).rejects.toThrow('read')
})

test('validating a long list yields to the event loop', async () => {
  const list = base
    .meta({ openapi: { method: 'GET', path: '/list' } })
    .input(z.strictObject({}))
    .output(validatedInSlices(z.object({ data: z.array(z.number()) })))
    .query(() => ({ data: Array.from({ length: 5_000 }, (_, index) => index) }))
  let hasYielded = false
  const result = operationsOf(router({ list }))[0]!.invoke({} as Context, async () => ({}))
  setImmediate(() => {
    hasYielded = true
  })
  expect(await result).toMatchObject({ data: { length: 5_000 } })
  expect(hasYielded).toBe(true)
})

test('an operation that declares its input after its output keeps the process from starting', () => {
  const reversed = base
    .meta({ openapi })
    .output(output)
    .input(input)
    .query(() => ({ number: 1, by: 'me' }))
  expect(() => operationsOf(router({ reversed }))).toThrow('reversed must declare its input')
})
