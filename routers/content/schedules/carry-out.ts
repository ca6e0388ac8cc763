import type { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { checkParticipation } from '../../../db/queries/caller-checks.ts'
import { deleteItem } from '../../../db/queries/item-rows.ts'
import { findSlugs } from '../../../db/queries/pages.ts'
import { movePreviewLinks } from '../../../db/queries/preview-links.ts'
import {
  type DueSchedule,
  deleteScheduledDraft,
  findNextDue,
  listDueSpaces,
  refuseSchedule,
  takeSchedule,
} from '../../../db/queries/schedules.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { type ContentWriter, writeSpace } from '../../api/in-space.ts'
import { Problem, problemOf } from '../../api/problem.ts'
import { callersError } from '../../api/trpc.ts'
import { changePage } from '../pages/change-page.ts'
import { createPage } from '../pages/create-page.ts'
import { PageFields } from '../pages/schema.ts'
import { requireBase, StaleBase } from '../pages/stale-base.ts'
import { parseDraft } from '../unsaved/store.ts'

/** Number of spaces for which a process carries out schedules at once. */
const TURNS = 8

/** Number of spaces that one call begins with. */
const SPACES = 1_000

/**
 * Returns functions that carry out what is due. Any number of processes can do so at once: the transaction that writes also
 * removes the schedule, so each is carried out once, also if a process is killed.
 *
 * @param onError called with an error for which a schedule stays due, so that the next call tries again
 */
export const scheduleRunner = (core: Core, onError: (error: unknown) => void) => {
  /** The spaces whose turn it is. Each has its own, because an import can lock a space for many seconds. */
  const running = new Map<string, Promise<void>>()
  return {
    /** Begins to carry out what is due. */
    start: async (): Promise<void> => {
      if (!core.health.isWritable) return
      for (const { space_id: spaceId } of await listDueSpaces(core.database, SPACES)) {
        if (running.has(spaceId)) continue
        if (running.size >= TURNS) await Promise.race(running.values())
        const turn = carryOutInSpace(core, spaceId)
          .catch(onError)
          .finally(() => running.delete(spaceId))
        running.set(spaceId, turn)
      }
    },
    /** Waits until what has begun has ended. */
    ended: () => Promise.all(running.values()),
  }
}

/** Carries out what is due for a space, in the order of the times. Stops at an error, so that this order remains. */
const carryOutInSpace = async (core: Core, spaceId: string): Promise<void> => {
  for (;;) {
    const schedule = await findNextDue(core.database, spaceId)
    if (!schedule) return
    await carryOut(core, schedule)
  }
}

/** Thrown when a schedule was cancelled, or carried out by another process. */
class TakenError extends Error {}

const carryOut = async (core: Core, schedule: DueSchedule): Promise<void> => {
  try {
    if (schedule.content === null) await remove(core, schedule)
    else await save(core, schedule, schedule.content)
  } catch (error) {
    if (error instanceof TakenError) return
    const { problem } =
      error instanceof StaleBase ? new Problem('precondition_failed') : problemOf(callersError(error))
    if (problem === 'internal_error' || problem === 'unavailable') throw error
    const slug = await slugOf(core, schedule)
    await inTransaction(core.database, sql => refuseSchedule(sql, schedule.id, problem, slug))
  }
}

const save = async (core: Core, schedule: DueSchedule, content: string): Promise<void> => {
  const { account_id: accountId, space_id: spaceId, thing, base } = schedule
  const id = base ? thing : newId()
  const writer = writerOf(core, schedule, async sql => {
    await deleteScheduledDraft(sql, schedule)
    if (!base) await movePreviewLinks(sql, accountId, spaceId, { from: thing, to: id })
  })
  const fields = fieldsOf(content)
  if (base) await changePage(writer, id, fields, requireBase(base.toISOString()))
  else await createPage(writer, fields, id)
}

const remove = async (core: Core, schedule: DueSchedule): Promise<void> => {
  // If someone has deleted the page already, nothing is left to do.
  await writerOf(core, schedule).write(write => deleteItem(write, 'page', schedule.thing))
}

/** @throws `validation_failed` if the rules have become stricter since the draft was scheduled */
const fieldsOf = (content: string): z.output<typeof PageFields> => {
  const { data } = PageFields.safeParse(parseDraft('page', content)?.fields)
  if (!data) throw new Problem('validation_failed')
  return data
}

const slugOf = async (core: Core, { content, space_id, thing }: DueSchedule): Promise<string> => {
  if (content !== null) return parseDraft('page', content)?.fields.slug ?? ''
  const [page] = await findSlugs(core.database, space_id, [thing])
  return page?.slug ?? ''
}

/**
 * Writes as the person who scheduled it, and removes the schedule in the same transaction.
 *
 * @param also what else the transaction does
 */
const writerOf = (
  core: Core,
  schedule: DueSchedule,
  also: (sql: Sql) => Promise<unknown> = async () => {},
): ContentWriter => {
  const { account_id: accountId, space_id: spaceId, subdomain } = schedule
  const author = { kind: 'session', id: accountId, label: null, accountId, agent: null } as const
  return {
    core,
    accountId,
    space: { id: spaceId, subdomain },
    sql: core.database,
    write: work =>
      writeSpace(
        { core },
        spaceId,
        author,
        sql => checkParticipation(sql, accountId, spaceId),
        async write => {
          if (!(await takeSchedule(write.sql, schedule.id))) throw new TakenError()
          await also(write.sql)
          return work(write)
        },
      ),
  }
}
