import { z } from 'zod'
import { recordEvent } from '../../api/audit.ts'
import type { Context } from '../../api/context.ts'
import { requireScope } from '../../api/credential.ts'
import { subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { invalid } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import { fileId } from '../files/schema.ts'
import { ChangedItems, changeItems } from './change-items.ts'
import { exportFiles, exportItems, exportSpace } from './export.ts'
import { ImportResult, importSpace } from './import-space.ts'
import { listSpace, TaggedListing } from './listing.ts'

/**
 * The path of the archive on this machine. Only `facades/transfer` sets it, because an archive cannot be sent as
 * JSON.
 */
const archiveOf = ({ archive }: Context): string => {
  if (archive === undefined) throw invalid('$', 'must be an archive, sent to /transfer')
  return archive
}

/** Maximum number of items whose contents one call can get. */
const MAX_PATHS = 10_000

/** A call that reads everything in a space. Keys need all scopes for reading. */
const readingAll = inSpace('pages').use(({ ctx, next }) => {
  requireScope(ctx.scopes, ['data'])
  requireScope(ctx.scopes, ['files', 'files_write'])
  return next()
})

/**
 * Exports and imports a space as an archive, for the dashboard. Lists, reads and writes items of a space as files of a
 * folder, for programs.
 */
export const transfer = router({
  /**
   * Lists the items of a space. Returns only a tag if the listing is still the one with the `known` tag. Waits for a change
   * before that, for up to `wait` seconds.
   */
  list: readingAll
    .input(
      z.strictObject({
        subdomain,
        known: z.string().optional(),
        wait: z.int().min(0).max(limits.listingWait).default(0),
      }),
    )
    .output(TaggedListing)
    .query(async ({ ctx, input: { known, wait }, signal }) => {
      const { core, space, accountId } = ctx
      const found = await listSpace(core, space.id, known)
      if (found.listing || wait === 0) return found
      const patience = AbortSignal.timeout(wait * 1000)
      const isOver = signal ? AbortSignal.any([signal, patience]) : patience
      const revision = await core.revisions.waitForChange(space.id, found.revision, {
        accountId,
        signal: isOver,
      })
      if (revision === found.revision) return found
      // The caller may have lost access while it waited.
      await ctx.transaction(async () => {})
      return listSpace(core, space.id, known)
    }),

  /** Writes the contents of some items into a zip archive. */
  exportItems: readingAll
    .input(z.strictObject({ subdomain, paths: z.array(z.string()).min(1).max(MAX_PATHS) }))
    .output(z.void())
    .query(({ ctx, input, signal }) =>
      exportItems(ctx.core, ctx.space.id, input.paths, archiveOf(ctx), signal),
    ),

  /** Writes and deletes some items, as the uploaded archive says. */
  change: inSpace('pages', 'data', 'files_write')
    .input(z.strictObject({ subdomain }))
    .output(ChangedItems)
    .mutation(({ ctx, signal }) => changeItems(ctx, { file: archiveOf(ctx), signal })),

  /** Writes the archive of a space to a file. */
  export: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.void())
    .query(async ({ ctx, signal }) => {
      await exportSpace(ctx.core, ctx.space, archiveOf(ctx), signal)
      // Record the export outside its transaction, which is read-only, and before anything is sent. This also checks
      // the caller once more: whoever has left the space meanwhile gets nothing.
      await ctx.transaction(sql => recordEvent(sql, { spaceId: ctx.space.id }, 'exported', ctx.caller))
    }),

  /** Writes some of the space's files into a zip archive. */
  exportFiles: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, file_ids: z.array(fileId).min(1).max(limits.downloadedFiles) }))
    .output(z.void())
    .query(({ ctx, input, signal }) =>
      exportFiles(ctx.core, ctx.space.id, input.file_ids, archiveOf(ctx), signal),
    ),

  /** Imports the uploaded archive. Without `plan`, writes nothing and returns what the import would change. */
  import: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, delete_missing: z.boolean(), plan: z.string().optional() }))
    .output(ImportResult)
    .mutation(({ ctx, input, signal }) =>
      importSpace(ctx, {
        file: archiveOf(ctx),
        deleteMissing: input.delete_missing,
        confirmedPlan: input.plan,
        signal,
      }),
    ),
})
