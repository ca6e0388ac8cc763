import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { listDataWithSizes } from '../../../db/queries/data.ts'
import { subdomain, timestamp } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { shownText } from '../../api/shown-text.ts'
import { router } from '../../api/trpc.ts'
import { deriveSchema } from './derive-schema.ts'
import type { Json } from './json.ts'
import { DataRecord, DataValue, LONG_VALUE, NewRecord, ShapeWarning } from './schema.ts'
import { shapeWarnings } from './shape-warnings.ts'
import { writeRecord } from './write-record.ts'

const RecordSummary = z.object({
  key: z.string(),
  /** The description as a single line. */
  description: z.string().nullable(),
  version: z.int(),
  updated_at: timestamp,
  /** Size of the value as compact JSON, in bytes. */
  size: z.int(),
  /** Number of shape warnings. */
  warnings: z.int(),
})

/** Procedures of the dashboard's record editor. */
export const records = router({
  /** All records by key, without their values. */
  list: inSpace('data')
    .input(z.strictObject({ subdomain }))
    .output(z.array(RecordSummary))
    .query(async ({ ctx }) => {
      const summaries = []
      for (const { value, updated_at, description, ...row } of await listDataWithSizes(
        ctx.sql,
        ctx.space.id,
      )) {
        // A long value takes milliseconds to process; yield to other requests first.
        if (value.length > LONG_VALUE) await setImmediate()
        const warnings = shapeWarnings(JSON.parse(value) as Json).length
        summaries.push({
          ...row,
          description: description === null ? null : shownText(description),
          updated_at: updated_at.toISOString(),
          warnings,
        })
      }
      return summaries
    }),

  /** Creates a record under a free key; `data.put` would replace an existing record. */
  create: inSpace('data')
    .input(NewRecord)
    .output(DataRecord)
    .mutation(({ ctx, input }) =>
      writeRecord(ctx, input, ({ version }) => {
        if (version !== null)
          throw new Problem('data_key_taken', {
            detail: `A record with the key "${input.key}" already exists.`,
          })
      }),
    ),

  /**
   * Derives the schema and the warnings of a value. The procedure writes nothing. Still, it is a mutation and not a
   * query, because a value can be too long for the URL of a query.
   */
  inspect: inSpace('data')
    .input(DataValue)
    .output(z.object({ schema: z.unknown(), warnings: z.array(ShapeWarning) }))
    .mutation(({ input }) => {
      const value = input.value as Json
      return { schema: deriveSchema(value), warnings: shapeWarnings(value) }
    }),
})
