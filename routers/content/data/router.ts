import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { findData, listData } from '../../../db/queries/data.ts'
import { deleteItem } from '../../../db/queries/item-rows.ts'
import { subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { requirePrecondition, requirePreconditionOf } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { rules } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import { DataRecord, DataWrite, key, LONG_VALUE, toRecord } from './schema.ts'
import { writeRecord } from './write-record.ts'

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
          'Returns all records ordered by key, with their values. Templates read them as data.key, or data["my-key"] where the key has hyphens. The result can be large: if you know the key, use get_data.',
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(z.object({ data: z.array(DataRecord) }).meta({ id: 'DataList' }))
    .query(async ({ ctx }) => {
      const records = []
      for (const row of await listData(ctx.sql, ctx.space.id)) {
        // A long value takes milliseconds to process; yield to other requests first.
        if (row.value.length > LONG_VALUE) await setImmediate()
        records.push(toRecord(row))
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
      conditional: ['If-None-Match'],
      tool: {
        name: 'get_data',
        description:
          'Returns a record with its value, its version, the schema derived from the value, and warnings about list elements that differ from the others.',
      },
    })
    .input(z.strictObject({ subdomain, key }))
    .output(DataRecord)
    .query(async ({ ctx, input }) => {
      const row = await findData(ctx.sql, ctx.space.id, input.key)
      if (!row) throw new Problem('data_not_found')
      return toRecord(row)
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
          'Creates the record or replaces its value entirely. With `version`, the record is written only if it still has this version.',
      },
      errors: ['data_not_found', 'version_conflict', 'data_quota_exceeded'],
      conditional: ['If-Match', 'If-None-Match'],
      tool: {
        name: 'put_data',
        description: `Creates a record or replaces its whole value. To change a record, call get_data, change the value, and send the whole value with the version you read. If the record has changed, you get version_conflict. A space can have ${rules.data.max_records} records. All records together can have ${rules.data.total_max_bytes} bytes. Returns the record.`,
        isIdempotent: false,
      },
    })
    .input(DataWrite)
    .output(DataRecord)
    .mutation(({ ctx, input }) =>
      writeRecord(ctx, input, ({ version, updated_at }) => {
        if (input.version !== undefined && version === null) throw new Problem('data_not_found')
        requirePrecondition(
          ctx.precondition,
          version === null || !updated_at ? null : { version, updated_at },
          'record',
        )
        if (input.version !== undefined && input.version !== version)
          throw new Problem('version_conflict', { detail: `The current version is ${version}.` })
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
        description:
          'Pages that use it show nothing instead. Participants can restore it from the history in the dashboard.',
      },
      status: 204,
      errors: ['data_not_found'],
      conditional: ['If-Match'],
      tool: {
        name: 'delete_data',
        description: 'Deletes a record, with its value and version. Pages that use it show nothing instead.',
      },
    })
    .input(z.strictObject({ subdomain, key }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const deleted = await ctx.write(async write => {
        await requirePreconditionOf(
          ctx.precondition,
          () => findData(write.sql, ctx.space.id, input.key),
          'record',
        )
        return deleteItem(write, 'record', input.key)
      })
      if (deleted === undefined) throw new Problem('data_not_found')
    }),
})
