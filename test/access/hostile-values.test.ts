import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { appRouter } from '../../routers/index.ts'
import { dashboardClient } from '../dashboard/support/dashboard-client.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'
import { type Access, classification, createVictim, type Victim } from './classification.ts'

const service = useTestService({ anonymousCallsPerMinute: 1_000_000, dashboardCallsPerMinute: 1_000_000 })
let caller: Victim
let cookie: string

beforeAll(async () => {
  caller = await createVictim(service)
  const browser = dashboardClient(service)
  await browser.api.sessions.create.mutate({
    handle: caller.person.handle,
    password: 'correct horse battery',
  })
  cookie = browser.cookie()!
})

/**
 * Values that PostgreSQL refuses to store, to compare or to index. The dates and cursors have the form that fields expect,
 * but lie outside of what a column can hold.
 */
const HOSTILE: Record<'string' | 'number', unknown[]> = {
  string: [
    '\0',
    'a\0a',
    `${'a'.repeat(15)}\0`,
    '\ud800',
    // Index entries have at most 2,704 bytes. Repeated characters would be compressed.
    Array.from({ length: 600 }, (_, n) => (n * 7919).toString(36)).join(''),
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '9'.repeat(18),
    `${'9'.repeat(14)}-${'9'.repeat(18)}`,
    `${'9'.repeat(15)}-${'a'.repeat(16)}`,
    `${'9'.repeat(18)}.${'9'.repeat(18)}`,
  ],
  number: [2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, 1e300, -1, 0.5],
}

/** Returns the paths of all fields of a type in an input schema. */
const fieldsOf = (type: keyof typeof HOSTILE, schema: z.core.$ZodType, path: string[] = []): string[][] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === type) return [path]
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, field]) => fieldsOf(type, field, [...path, name]))
  if (def.type === 'union') return def.options.flatMap(option => fieldsOf(type, option, path))
  if (def.type === 'array') return fieldsOf(type, def.element, [...path, '0'])
  if (def.type === 'pipe') return fieldsOf(type, def.in, path)
  return 'innerType' in def ? fieldsOf(type, def.innerType, path) : []
}

/** Returns a copy of an input that has `value` at the given path. */
const withValue = (input: unknown, [name, ...rest]: string[], value: unknown): unknown => {
  if (name === undefined) return value
  if (name === '0') return [withValue((input as unknown[] | undefined)?.[0], rest, value)]
  const fields = (input ?? {}) as Record<string, unknown>
  return { ...fields, [name]: withValue(fields[name], rest, value) }
}

const inputOf = (access: Access) => (access.kind === 'open' ? undefined : access.input(caller))

interface Definition {
  type: 'query' | 'mutation' | 'subscription'
  inputs: z.core.$ZodType[]
}

const procedures = Object.entries<{ _def: unknown }>(appRouter._def.procedures as never).flatMap(
  ([name, procedure]) => {
    const { type, inputs } = procedure._def as Definition
    // Streams do not end; `test/live/follow.test.ts` has hostile values for them.
    if (type === 'subscription') return []
    const fields = (['string', 'number'] as const).flatMap(kind => {
      const paths = inputs.flatMap(schema => fieldsOf(kind, schema)).map(path => path.join('.'))
      return [...new Set(paths)].map(path => [path, kind] as const)
    })
    return fields.length > 0 ? [{ name, type, fields }] : []
  },
)

describe.each(procedures)('the procedure $name', ({ name, type, fields }) => {
  test.each(fields)(
    'has no internal error when %s is a %s that the database cannot store',
    async (path, kind) => {
      for (const value of HOSTILE[kind]) {
        const json = JSON.stringify(withValue(inputOf(classification[name]!), path.split('.'), value))
        const { status } =
          type === 'query'
            ? await request(service.root, 'GET', `/trpc/${name}?input=${encodeURIComponent(json)}`, {
                headers: { cookie },
              })
            : await request(service.root, 'POST', `/trpc/${name}`, {
                headers: { cookie, 'content-type': 'application/json' },
                body: json,
              })
        expect([value, status < 500]).toEqual([value, true])
      }
    },
  )
})
