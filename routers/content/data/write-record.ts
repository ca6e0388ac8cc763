import { findDataUsage, putData } from '../../../db/queries/data.ts'
import { sendLast } from '../../../db/transaction.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { after } from '../../api/precondition.ts'
import { checkRecords } from '../limits.ts'
import { toRecord } from './schema.ts'

interface NewValue {
  key: string
  value?: unknown
  /** The description stays unchanged when omitted. */
  description?: string | null | undefined
}

/** The record and the usage as read under the lock. */
type Current = Awaited<ReturnType<typeof findDataUsage>>

/**
 * Creates or replaces a record and returns the API's record object.
 *
 * @param check called under the lock with the current state; throws to refuse the write
 * @throws `data_quota_exceeded`, and what `check` throws
 */
export const writeRecord = async (ctx: SpaceCall, input: NewValue, check: (current: Current) => void) => {
  const value = JSON.stringify(input.value)
  const size = Buffer.byteLength(value)
  const record = await ctx.write(async write => {
    const current = await findDataUsage(write.sql, ctx.space.id, input.key)
    check(current)
    checkRecords(current.other_records + 1, current.other_bytes + size)
    const written = {
      key: input.key,
      value,
      size,
      description: input.description === undefined ? current.description : input.description,
      version: (current.version ?? 0) + 1,
      updated_at: current.updated_at ? after(current.updated_at) : new Date(),
    }
    sendLast(write.sql, () => putData(write, written, current.version === null))
    return written
  })
  return toRecord(record)
}
