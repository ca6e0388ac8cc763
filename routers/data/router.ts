import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { deleteData, findData, listData, putData, weighData } from '../../db/queries/data.ts'
import { inSpace } from '../access/in-space.ts'
import { subdomain } from '../fields.ts'
import { after } from '../instant.ts'
import { Problem } from '../problem.ts'
import { rules } from '../rules.ts'
import { router } from '../trpc.ts'
import { deriveSchema } from './derive-schema.ts'
import type { Json } from './json.ts'
import { DataRecord, DataWrite, key } from './schema.ts'
import { shapeWarnings } from './shape-warnings.ts'

const tags = ['Data']

/** Characters of a value from which looking through it is felt by others. */
const LARGE = 4096

/** A row as callers see it, with what is derived from its value. */
const shown = (row: {
  key: string
  value: string
  description: string | null
  version: number
  updated_at: Date
}) => {
  const value = JSON.parse(row.value) as Json
  return {
    key: row.key,
    value,
    description: row.description,
    version: row.version,
    updated_at: row.updated_at.toISOString(),
    schema: deriveSchema(value),
    warnings: shapeWarnings(value),
  }
}

export const data = router({
  list: inSpace('data')
    .meta({
      openapi: {
        operationId: 'listData',
        method: 'GET',
        path: '/spaces/{subdomain}/data',
        tags,
        summary: 'List the records',
        description: 'All data records of the space, ordered by key, with their values.',
      },
      tool: {
        name: 'list_data',
        description:
          'Returns all records ordered by key, with their values. Templates read them as data.key, or data["my-key"] where the key has hyphens. All values together can be large: where you know the key, get_data is enough.',
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(z.object({ data: z.array(DataRecord) }).meta({ id: 'DataList' }))
    .query(async ({ ctx }) => {
      const records = []
      for (const row of await listData(ctx.sql, ctx.space.id)) {
        // A large value takes milliseconds to look through; others get a turn before the next one.
        if (row.value.length > LARGE) await setImmediate()
        records.push(shown(row))
      }
      return { data: records }
    }),

  get: inSpace('data')
    .meta({
      openapi: {
        operationId: 'getData',
        method: 'GET',
        path: '/spaces/{subdomain}/data/{key}',
        tags,
        summary: 'Read a record',
        description: 'One data record with its value, the schema derived from it and shape warnings.',
      },
      errors: ['data_not_found'],
      tool: {
        name: 'get_data',
        description:
          'Returns a record with its value, its version, the schema that follows from the value, and warnings about list elements unlike their siblings.',
      },
    })
    .input(z.strictObject({ subdomain, key }))
    .output(DataRecord)
    .query(async ({ ctx, input }) => {
      const row = await findData(ctx.sql, ctx.space.id, input.key)
      if (!row) throw new Problem('data_not_found')
      return shown(row)
    }),

  put: inSpace('data')
    .meta({
      openapi: {
        operationId: 'putData',
        method: 'PUT',
        path: '/spaces/{subdomain}/data/{key}',
        tags,
        summary: 'Write a record',
        description:
          'Creates the record or replaces its value whole. With `version` it is written only if that is still the current one.',
      },
      errors: ['data_not_found', 'version_conflict', 'data_quota_exceeded'],
      tool: {
        name: 'put_data',
        description: `Creates a record, or replaces its value whole; there is no partial write. To change a record: get_data, change the value, and send all of it with the version you read, so that a write in between is not lost (version_conflict). At most ${rules.data.max_records} records of ${rules.data.value_max_bytes} bytes, ${rules.data.total_max_bytes} together. Returns the record.`,
        isIdempotent: false,
      },
    })
    .input(DataWrite)
    .output(DataRecord)
    .mutation(async ({ ctx, input }) => {
      const value = JSON.stringify(input.value)
      const size = Buffer.byteLength(value)
      const record = await ctx.write(async sql => {
        const now = await weighData(sql, ctx.space.id, input.key)
        if (input.version !== undefined && now.version === null) throw new Problem('data_not_found')
        if (input.version !== undefined && input.version !== now.version)
          throw new Problem('version_conflict', { detail: `The current version is ${now.version}.` })
        admit(now.version === null, now.other_records, now.other_bytes, size)
        const written = {
          key: input.key,
          value,
          size,
          description: input.description === undefined ? now.description : input.description,
          version: (now.version ?? 0) + 1,
          updated_at: now.updated_at ? after(now.updated_at) : new Date(),
        }
        await putData(sql, { ...written, space_id: ctx.space.id })
        return written
      })
      return shown(record)
    }),

  delete: inSpace('data')
    .meta({
      openapi: {
        operationId: 'deleteData',
        method: 'DELETE',
        path: '/spaces/{subdomain}/data/{key}',
        tags,
        summary: 'Delete a record',
        description: 'Pages that read it show nothing in its place. This cannot be undone.',
      },
      status: 204,
      errors: ['data_not_found'],
      tool: {
        name: 'delete_data',
        description:
          'Deletes a record for good, its value and version. Pages that read it show nothing in its place.',
      },
    })
    .input(z.strictObject({ subdomain, key }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const found = await ctx.write(sql => deleteData(sql, ctx.space.id, input.key))
      if (!found) throw new Problem('data_not_found')
    }),
})

/** Refuses a record that would exceed the store's limits, given what the other records take. */
const admit = (isNew: boolean, otherRecords: number, otherBytes: number, size: number) => {
  const { max_records, total_max_bytes } = rules.data
  if (isNew && otherRecords >= max_records)
    throw new Problem('data_quota_exceeded', { detail: `A space has at most ${max_records} records.` })
  if (otherBytes + size > total_max_bytes)
    throw new Problem('data_quota_exceeded', {
      detail: `The records would have ${otherBytes + size} bytes together; ${total_max_bytes} are allowed.`,
    })
}
