import { findDataUsage, putData } from '../../../db/queries/data.ts'
import { sendLast } from '../../../db/transaction-connection.ts'
import type { SpaceCall } from '../../access/in-space.ts'
import { after } from '../../core/precondition.ts'
import { Problem } from '../../core/problem.ts'
import { rules } from '../../core/rules.ts'
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
    checkQuota(current, size)
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

/** Refuses a record that would exceed the space's limits. */
const checkQuota = ({ version, other_records, other_bytes }: Current, size: number) => {
  const { max_records, total_max_bytes } = rules.data
  if (version === null && other_records >= max_records)
    throw new Problem('data_quota_exceeded', { detail: `A space can have at most ${max_records} records.` })
  if (other_bytes + size > total_max_bytes)
    throw new Problem('data_quota_exceeded', {
      detail: `All records together would have ${other_bytes + size} bytes; the limit is ${total_max_bytes}.`,
    })
}
