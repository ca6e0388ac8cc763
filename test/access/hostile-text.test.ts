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

/** Strings that PostgreSQL refuses to store or to compare. */
const HOSTILE = ['\0', 'a\0a', `${'a'.repeat(15)}\0`, '\ud800']

/** Returns the paths of all text fields in an input schema. */
const textFields = (schema: z.core.$ZodType, path: string[] = []): string[][] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'string') return [path]
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, field]) => textFields(field, [...path, name]))
  if (def.type === 'union') return def.options.flatMap(option => textFields(option, path))
  if (def.type === 'array') return textFields(def.element, [...path, '0'])
  if (def.type === 'pipe') return textFields(def.in, path)
  return 'innerType' in def ? textFields(def.innerType, path) : []
}

/** Returns a copy of an input that has `value` at the given path. */
const withValue = (input: unknown, [name, ...rest]: string[], value: string): unknown => {
  if (name === undefined) return value
  if (name === '0') return [withValue((input as unknown[] | undefined)?.[0], rest, value)]
  const fields = (input ?? {}) as Record<string, unknown>
  return { ...fields, [name]: withValue(fields[name], rest, value) }
}

const inputOf = (access: Access) => (access.kind === 'open' ? undefined : access.input(caller))

interface Definition {
  type: 'query' | 'mutation'
  inputs: z.core.$ZodType[]
}

const procedures = Object.entries<{ _def: unknown }>(appRouter._def.procedures as never).flatMap(
  ([name, procedure]) => {
    const { type, inputs } = procedure._def as Definition
    const paths = new Set(inputs.flatMap(schema => textFields(schema)).map(path => path.join('.')))
    return paths.size > 0 ? [{ name, type, paths: [...paths] }] : []
  },
)

describe.each(procedures)('the procedure $name', ({ name, type, paths }) => {
  test.each(paths)('has no internal error when %s is text that the database cannot store', async path => {
    for (const text of HOSTILE) {
      const json = JSON.stringify(withValue(inputOf(classification[name]!), path.split('.'), text))
      const { status } =
        type === 'query'
          ? await request(service.root, 'GET', `/trpc/${name}?input=${encodeURIComponent(json)}`, {
              headers: { cookie },
            })
          : await request(service.root, 'POST', `/trpc/${name}`, {
              headers: { cookie, 'content-type': 'application/json' },
              body: json,
            })
      expect(status).toBeLessThan(500)
    }
  })
})
