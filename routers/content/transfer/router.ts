import { z } from 'zod'
import { recordEvent } from '../../api/audit.ts'
import type { Context } from '../../api/context.ts'
import { subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { invalid } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import { fileId } from '../files/schema.ts'
import { exportFiles, exportSpace } from './export.ts'
import { ImportResult, importSpace } from './import-space.ts'

/**
 * The path of the archive on this machine. Only `facades/transfer` sets it, because an archive cannot be sent as
 * JSON.
 */
const archiveOf = ({ archive }: Context): string => {
  if (archive === undefined) throw invalid('$', 'must be an archive, sent to /transfer')
  return archive
}

/** Exports and imports a space as an archive, for the dashboard. */
export const transfer = router({
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
