import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { deleteData, findData, listData } from '../../../db/queries/data.ts'
import { inSpace } from '../../access/in-space.ts'
import { subdomain } from '../../core/fields.ts'
import { Problem } from '../../core/problem.ts'
import { rules } from '../../core/rules.ts'
import { router } from '../../core/trpc.ts'
import { DataRecord, DataWrite, key } from './schema.ts'
import { LARGE, shown } from './shown.ts'
import { writeRecord } from './write.ts'

const tags = ['Data']

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
    .mutation(({ ctx, input }) =>
      writeRecord(ctx, input, now => {
        if (input.version !== undefined && now.version === null) throw new Problem('data_not_found')
        if (input.version !== undefined && input.version !== now.version)
          throw new Problem('version_conflict', { detail: `The current version is ${now.version}.` })
      }),
    ),

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
