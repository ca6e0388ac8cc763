import type { Sql } from '../../../db/orm.ts'
import { findDataUsage, putData } from '../../../db/queries/data.ts'
import { after } from '../../core/instant.ts'
import { Problem } from '../../core/problem.ts'
import { rules } from '../../core/rules.ts'
import { shown } from './shown.ts'

interface NewValue {
  key: string
  value?: unknown
  /** Kept as it is when left out. */
  description?: string | null | undefined
}

/** What `findDataUsage` found under the lock. */
type Current = Awaited<ReturnType<typeof findDataUsage>>

/** What writing a record needs of the call. */
interface SpaceWriter {
  space: { id: string }
  write: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>
}

/**
 * Writes a record whole and returns it as callers see it.
 *
 * @param judge throws under the lock when what is there now speaks against the write
 * @throws `data_quota_exceeded`, and whatever `judge` throws
 */
export const writeRecord = async (ctx: SpaceWriter, input: NewValue, judge: (now: Current) => void) => {
  const value = JSON.stringify(input.value)
  const size = Buffer.byteLength(value)
  const record = await ctx.write(async sql => {
    const now = await findDataUsage(sql, ctx.space.id, input.key)
    judge(now)
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
}

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
