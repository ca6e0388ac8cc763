import { z } from 'zod'
import { bytesOf } from '../../../db/file-store/content.ts'
import { newId } from '../../../db/id.ts'
import {
  type ChangeFilter,
  findPicture,
  isSlowList,
  listChanges,
  listHistoryActors,
} from '../../../db/queries/history.ts'
import type { ChangeKind } from '../../../db/queries/items.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { atOneMoment } from '../../../db/transaction.ts'
import { recordEvent } from '../../api/audit.ts'
import { subdomain, text, timestamp } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { pageOf } from '../../api/pages.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { requireConfirmation } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { checkLimits } from '../limits.ts'
import { slug } from '../pages/schema.ts'
import { name as partName } from '../parts/schema.ts'
import { linesOfChange } from './count-lines.ts'
import { eraseItem } from './erase.ts'
import { readableKinds, requireWritable, undoableKinds } from './kinds.ts'
import { requireChange, shownCurrent, shownSide } from './read-change.ts'
import { restore } from './restore.ts'
import {
  Actor,
  Change,
  changeId,
  instant,
  KINDS,
  kind,
  placeFrom,
  State,
  toActor,
  toChange,
} from './schema.ts'
import { applyUndo, planUndo, stepsOf } from './undo.ts'
import { Plan, Selection, toPlan, UNDO_PAGE } from './undo-schema.ts'

const PAGE_SIZE = 50

const CHANGED_SINCE_PREVIEW =
  'Someone changed the space, so the undo would no longer do what the preview showed. Nothing was written. Open a new preview first.'

const filterFrom = (input: z.output<typeof Selection>, kinds: readonly ChangeKind[]): ChangeFilter => ({
  kinds,
  operation: input.operation,
  actor: input.actor,
  since: input.since,
  until: input.until,
})

/**
 * Procedures of a space's history. A key sees only changes of items that it can read, and restores only items that it
 * can write.
 */
export const history = router({
  /** A page of changes, newest first. */
  list: inSpace()
    .meta({
      tool: {
        name: 'list_changes',
        title: 'List the changes',
        description:
          'Returns who changed what in the space and when, newest first, at most 50 changes per call. Leaves out changes that the scopes of the key do not allow you to see. The field called thing is the id of the item or, for a record, its key. Use this tool to see what people did since you last looked.',
      },
    })
    .input(
      z.strictObject({
        subdomain,
        kind: kind.optional().meta({ description: 'Only changes of this kind of item' }),
        thing: text({ max: 60 })
          .optional()
          .meta({ description: 'Only changes of the item with this id, or of the record with this key' }),
        actor: text({ max: 30 })
          .optional()
          .meta({ description: 'Only changes by the actor with this id (the `actor.id` of a change)' }),
        since: instant.optional().meta({ description: 'Only changes at or after this time' }),
        until: instant.optional().meta({ description: 'Only changes before this time' }),
        cursor: changeId
          .nullish()
          .meta({ description: 'The id of the last change in the previous response' }),
      }),
    )
    .output(z.object({ changes: z.array(Change), next: z.string().nullable() }))
    .query(async ({ ctx, input }) => {
      const after = input.cursor == null ? null : placeFrom(input.cursor)
      if (input.cursor != null && !after) throw invalid('cursor', 'is not a cursor from an earlier response')
      const readable = readableKinds(ctx)
      const { thing, actor, since, until } = input
      const kinds = input.kind ? readable.filter(readableKind => readableKind === input.kind) : readable
      const filter = { kinds, thing, actor, since, until }
      const list = () => listChanges(ctx.sql, ctx.space.id, filter, { after, limit: PAGE_SIZE + 1 })
      const isSlow = isSlowList(filter, kinds.length === KINDS.length)
      const found = await (isSlow ? ctx.core.slowQueries.run(ctx.accountId, 1, list) : list())
      const { rows, next } = pageOf(found.map(toChange), PAGE_SIZE, ({ id }) => id)
      return { changes: rows, next }
    }),

  /**
   * The authors of the changes in the history. Each author appears once, as recorded in that author's latest change.
   * The author of the latest change comes first.
   */
  actors: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.array(Actor.extend({ last_change_at: timestamp })))
    .query(async ({ ctx }) => {
      const rows = await ctx.core.slowQueries.run(ctx.accountId, 1, () =>
        listHistoryActors(ctx.sql, ctx.space.id, limits.historyActors),
      )
      return rows.map(row => ({ ...toActor(row), last_change_at: row.at.toISOString() }))
    }),

  /**
   * The bytes of a current or earlier picture. `digest` is the SHA-256 of these bytes. Null if the picture is not kept
   * or is too large.
   */
  picture: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256') }))
    .output(z.object({ base64: z.string().nullable() }))
    .query(async ({ ctx, input }) => {
      const digest = Buffer.from(input.digest, 'hex')
      const found = await findPicture(ctx.sql, ctx.space.id, digest, limits.historyPicture)
      if (!found) return { base64: null }
      const bytes = await bytesOf(ctx.core.fileStore, ctx.space.id, digest, found)
      return { base64: bytes.toString('base64') }
    }),

  /** A change with the states before and after it. */
  get: inSpace()
    .meta({
      errors: ['change_not_found'],
      tool: {
        name: 'get_change',
        title: 'Show a change',
        description:
          'Returns a change from list_changes with the states of the item before and after it, including their bodies. Compare the two texts to see what the change did.',
      },
    })
    .input(z.strictObject({ subdomain, change_id: changeId }))
    .output(z.object({ change: Change, before: State.nullable(), after: State.nullable() }))
    .query(async ({ ctx, input }) => {
      const row = await requireChange(ctx.sql, ctx.space.id, input.change_id, readableKinds(ctx))
      const [before, after] = await Promise.all([shownSide(ctx, row, 'before'), shownSide(ctx, row, 'after')])
      return { change: toChange(row), before, after }
    }),

  /**
   * How many lines changes to existing pages, parts and records have added and removed. Leaves out other changes, and
   * those that the history no longer has.
   */
  lines: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, changes: z.array(changeId).min(1).max(PAGE_SIZE) }))
    .output(z.array(z.object({ id: z.string(), added: z.int(), removed: z.int() })))
    .query(async ({ ctx, input }) => {
      const counted = []
      for (const id of input.changes) {
        const lines = await linesOfChange(ctx, id)
        if (lines) counted.push({ id, ...lines })
      }
      return counted
    }),

  /**
   * Returns two states of an item: the state after the change `from`, and the state after the change `to` or, without
   * `to`, the current state.
   */
  compare: inSpace()
    .input(z.strictObject({ subdomain, from: changeId, to: changeId.optional() }))
    .output(
      z.object({
        from: State.nullable(),
        from_change: Change,
        to: State.nullable(),
        /** Null if the second state is the current one. */
        to_change: Change.nullable(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const kinds = readableKinds(ctx)
      const { sql, space } = ctx
      const from = await requireChange(sql, space.id, input.from, kinds)
      const left = await shownSide(ctx, from, 'after')
      if (input.to === undefined) {
        return {
          from: left,
          from_change: toChange(from),
          to: await shownCurrent(ctx, from),
          to_change: null,
        }
      }
      const to = await requireChange(sql, space.id, input.to, kinds)
      if (to.kind !== from.kind || to.thing !== from.thing)
        throw invalid('to', 'must be a change to the same item')
      return {
        from: left,
        from_change: toChange(from),
        to: await shownSide(ctx, to, 'after'),
        to_change: toChange(to),
      }
    }),

  /**
   * Restores an item to its state before the given change, or to its state after the change. If another page or part
   * now has the name from that state, the caller must pass a new name.
   */
  restore: inSpace()
    .meta({
      errors: [
        'change_not_found',
        'version_conflict',
        'slug_taken',
        'part_name_taken',
        'parts_quota_exceeded',
        'data_quota_exceeded',
        'storage_quota_exceeded',
        'limit_reached',
      ],
      tool: {
        name: 'restore',
        title: 'Restore an earlier version',
        description:
          'Restores the state that an item had before or after a change, even if the item has been deleted since. change_id is an id from list_changes. To undo a change, restore the state before the change. Needs the scope for writing that kind of item.',
        isIdempotent: false,
      },
    })
    .input(
      z.strictObject({
        subdomain,
        change_id: changeId,
        side: z
          .enum(['before', 'after'])
          .meta({ description: 'Which state to restore: the one before the change, or the one after it' }),
        name: z.union([slug, partName]).optional().meta({
          description:
            'A new slug for the restored page, or a new name for the restored part. Needed if another page or part now has the earlier slug or name',
        }),
        only_if_deleted: z
          .boolean()
          .default(false)
          .meta({ description: 'Change nothing if the item exists' }),
        updated_at: timestamp.nullable().optional().meta({
          description:
            'The updated_at of the item that you read: nothing is restored if someone has changed the item since; null if it must not exist',
        }),
      }),
    )
    .output(
      z.object({
        operation: z.string().nullable().meta({
          description:
            'The id of this restore, which list_changes returns as operation. Null if nothing was changed: the item already had that state, or it exists and only_if_deleted is true',
        }),
      }),
    )
    .mutation(async ({ ctx, input }) => ({ operation: await restore(ctx, input) })),

  /**
   * Erases a deleted item with all of its versions. `change_id` is the change that deleted it. Requires a recent
   * sign-in, because erasing cannot be undone.
   */
  erase: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, change_id: changeId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const deletion = await requireChange(ctx.sql, ctx.space.id, input.change_id, KINDS)
      if (deletion.after !== null) throw invalid('change_id', 'must be a deletion')
      await requireConfirmation(ctx.sql, ctx.caller)
      await eraseItem(ctx, ctx.space.id, deletion)
    }),

  /** Returns what `undo` would do with the same selection: counts, and a page of the items. */
  previewUndo: inSpace()
    .input(
      Selection.safeExtend({
        cursor: z.string().max(80).optional(),
        limit: z.int().min(1).max(UNDO_PAGE).optional(),
      }),
    )
    .output(Plan)
    .query(async ({ ctx, input }) => {
      const filter = filterFrom(input, undoableKinds(ctx))
      const { database, slowQueries, creationLimits } = ctx.core
      // In a transaction, because its statements have a timeout that also stops the server's work.
      const plan = await slowQueries.run(ctx.accountId, 1, () =>
        atOneMoment(database, sql => planUndo(sql, ctx.space.id, filter, creationLimits)),
      )
      return toPlan(plan, input)
    }),

  /**
   * Undoes the selected changes together: each item gets the state that it had before the first of its selected
   * changes. Items that others have changed since are skipped, and so are settings if the caller is an editor. With the
   * `plan` of a preview, does exactly what the preview showed, or nothing.
   */
  undo: inSpace()
    .meta({
      errors: [
        'space_changed',
        'limit_reached',
        'parts_quota_exceeded',
        'data_quota_exceeded',
        'storage_quota_exceeded',
      ],
      tool: {
        name: 'undo',
        title: 'Undo several changes',
        description:
          'Undoes together all changes of one operation, such as a call of write_many or an import, or all changes of one actor since a time: each item gets the state from before the first of these changes. Items that others have changed since are skipped and listed. Needs the scopes for writing the items.',
        isIdempotent: false,
      },
    })
    .input(
      Selection.safeExtend({
        plan: z
          .string()
          .max(60)
          .optional()
          .meta({ description: 'The plan of a preview: the undo does exactly what it showed, or nothing' }),
      }),
    )
    .output(
      Plan.extend({
        operation: z
          .string()
          .nullable()
          .meta({ description: 'The id of this undo, which can be undone too; null if nothing was changed' }),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const operation = { cause: 'undo', id: newId() } as const
      const filter = filterFrom(input, undoableKinds(ctx))
      const { creationLimits, slowQueries } = ctx.core
      const undo = async (write: SpaceWrite) => {
        const planned = await planUndo(write.sql, ctx.space.id, filter, creationLimits)
        if (input.plan !== undefined && input.plan !== planned.id)
          throw new Problem('space_changed', { detail: CHANGED_SINCE_PREVIEW })
        const steps = stepsOf(planned)
        requireWritable(ctx, [...new Set(steps.map(step => step.kind))])
        if (steps.some(({ kind }) => kind === 'space')) await ctx.checkOwner(write.sql)
        await applyUndo(write, steps)
        await checkLimits(
          write,
          creationLimits,
          steps.map(({ kind, thing, effect }) => ({
            kind,
            thing,
            effect: effect === 'bring_back' ? 'add' : effect,
          })),
        )
        if (steps.length > 0)
          await recordEvent(write.sql, { spaceId: ctx.space.id }, 'restored', ctx.caller, {
            cause: 'undo',
            items: steps.length,
          })
        return planned
      }
      const plan = await slowQueries.run(ctx.accountId, 1, () => ctx.write(undo, operation))
      return { ...toPlan(plan, {}), operation: stepsOf(plan).length > 0 ? operation.id : null }
    }),
})
