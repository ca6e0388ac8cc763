import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { listDataWithSizes } from '../../../db/queries/data.ts'
import { inSpace } from '../../access/in-space.ts'
import { subdomain, timestamp } from '../../core/fields.ts'
import { Problem } from '../../core/problem.ts'
import { router } from '../../core/trpc.ts'
import { deriveSchema } from './derive-schema.ts'
import type { Json } from './json.ts'
import { DataRecord, DataValue, NewRecord, ShapeWarning } from './schema.ts'
import { shapeWarnings } from './shape-warnings.ts'
import { LARGE } from './shown.ts'
import { writeRecord } from './write.ts'

const RecordSummary = z.object({
  key: z.string(),
  description: z.string().nullable(),
  version: z.int(),
  updated_at: timestamp,
  /** Bytes of the value as compact JSON. */
  size: z.int(),
  /** How many shape warnings the value has. */
  warnings: z.int(),
})

/** What the screen does with data records beside what every caller can do. */
export const records = router({
  /** All records by key, without their values. */
  list: inSpace('data')
    .input(z.strictObject({ subdomain }))
    .output(z.array(RecordSummary))
    .query(async ({ ctx }) => {
      const summaries = []
      for (const { value, updated_at, ...row } of await listDataWithSizes(ctx.sql, ctx.space.id)) {
        // A large value takes milliseconds to look through; others get a turn before the next one.
        if (value.length > LARGE) await setImmediate()
        const warnings = shapeWarnings(JSON.parse(value) as Json).length
        summaries.push({ ...row, updated_at: updated_at.toISOString(), warnings })
      }
      return summaries
    }),

  /** Writes a record under a key that must be free; a write of `data.put` would replace what is there. */
  create: inSpace('data')
    .input(NewRecord)
    .output(DataRecord)
    .mutation(({ ctx, input }) =>
      writeRecord(ctx, input, now => {
        if (now.version !== null)
          throw new Problem('data_key_taken', { detail: `There is a record "${input.key}" already.` })
      }),
    ),

  /** What would be derived from a value if it were written. Writes nothing; sent as a mutation for its size. */
  inspect: inSpace('data')
    .input(DataValue)
    .output(z.object({ schema: z.unknown(), warnings: z.array(ShapeWarning) }))
    .mutation(({ input }) => {
      const value = input.value as Json
      return { schema: deriveSchema(value), warnings: shapeWarnings(value) }
    }),
})
