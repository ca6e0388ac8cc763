import { expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../routers/index.ts'
import { LiveEvent } from '../../routers/spaces/live/schema.ts'

interface Schema {
  properties?: Record<string, Schema>
}

const IS_TIME = /(?:^|_)(?:at|until|since)$/

/** Returns the name and schema of each property that contains a time, at any depth. */
const timesIn = (schema: unknown): [name: string, schema: Schema][] => {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = Object.entries((schema as Schema).properties ?? {})
  return [
    ...properties.filter(([name]) => IS_TIME.test(name)),
    ...Object.values(schema).flatMap(part => timesIn(part)),
  ]
}

const outputs = Object.entries<{ _def: unknown }>(appRouter._def.procedures as never).map(
  // A subscription has events instead of an output.
  ([name, procedure]) => [name, (procedure._def as { output?: z.ZodType }).output ?? LiveEvent] as const,
)

it('every time in a response uses the `timestamp` schema', () => {
  const times = outputs.flatMap(([name, output]) =>
    timesIn(z.toJSONSchema(output, { unrepresentable: 'any', reused: 'inline' })).map(
      ([field, schema]) => [`${name}: ${field}`, schema] as const,
    ),
  )
  const topics = new Set(times.map(([name]) => name.split('.')[0]))
  for (const topic of ['history', 'audit', 'writing', 'posts']) expect(topics).toContain(topic)
  // The schema, or one of its alternatives, is `timestamp`.
  const isTimestamp = (schema: Schema) => JSON.stringify(schema).includes('Timestamp')
  expect(times.filter(([, schema]) => !isTimestamp(schema)).map(([name]) => name)).toEqual([])
})
