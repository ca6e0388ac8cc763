import { findDataUsage } from '../../../db/queries/data.ts'
import { insertItem, type NewItemRow, updateItem } from '../../../db/queries/item-rows.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { sendLast } from '../../../db/transaction.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { after } from '../../api/precondition.ts'
import { checkRecords } from '../limits.ts'
import { toRecord } from './schema.ts'

interface NewValue<Value> {
  key: string
  value: Value
  /** The description stays unchanged when omitted. */
  description?: string | null | undefined
}

/** The record and the usage as read under the lock. */
type Current = Awaited<ReturnType<typeof findDataUsage>>

/** Returns the state of a record after a write of this JSON text. */
export const nextRecord = (
  current: Current,
  { key, value, description = current.description }: NewValue<string>,
) => ({
  key,
  value,
  size: Buffer.byteLength(value),
  description,
  version: (current.version ?? 0) + 1,
  updated_at: current.updated_at ? after(current.updated_at) : new Date(),
})

/** Creates or replaces a record. Its first version is 1. */
export const storeRecord = (write: SpaceWrite, record: NewItemRow<'record'>): Promise<unknown> =>
  record.version === 1 ? insertItem(write, 'record', record) : updateItem(write, 'record', record.key, record)

/**
 * Creates or replaces a record and returns the API's record object.
 *
 * @param check called under the lock with the current state; throws to refuse the write
 * @throws `data_quota_exceeded`, and what `check` throws
 */
export const writeRecord = async (
  ctx: SpaceCall,
  input: NewValue<unknown>,
  check: (current: Current) => void,
) => {
  const sent = { ...input, value: JSON.stringify(input.value) }
  const record = await ctx.write(async write => {
    const current = await findDataUsage(write.sql, ctx.space.id, sent.key)
    check(current)
    const written = nextRecord(current, sent)
    checkRecords(current.other_records + 1, current.other_bytes + written.size)
    sendLast(write.sql, () => storeRecord(write, written))
    return written
  })
  return toRecord(record)
}
