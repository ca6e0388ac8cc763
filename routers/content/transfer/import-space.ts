import { z } from 'zod'
import { type FileContent, withAllStaged } from '../../../db/file-store/content.ts'
import { newId } from '../../../db/id.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { atOneMoment } from '../../../db/transaction.ts'
import { recordEvent } from '../../api/audit.ts'
import type { Core } from '../../api/context.ts'
import type { ParticipantCall, SpaceCall } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { applyPlan, newContents } from './apply-plan.ts'
import { type CurrentContent, readCurrentContent, wantedFor } from './current-content.ts'
import { requireCaller } from './entries.ts'
import { matchFiles, withAddressesReplaced } from './files.ts'
import { digestOfPlan, type Plan, planImport, requireAllowed } from './plan.ts'
import { type Archive, withArchive } from './read-archive.ts'

/** How to import. */
interface ImportOptions {
  file: string
  /** Whether items that are not in the archive are deleted. */
  deleteMissing: boolean
  /** The id of the plan that the person has confirmed; undefined for a preview. */
  confirmedPlan: string | undefined
  /** Aborts when the caller has closed the connection. Until the commit, the import then ends and writes nothing. */
  signal?: AbortSignal | undefined
}

/**
 * Imports an archive into a space, in one transaction and as one operation of the history. Without a confirmed plan it
 * writes nothing and returns what it would do. Leaves the name and icon of the space as they are if an editor imports.
 *
 * @throws `validation_failed` for an archive that breaks a rule, `space_changed` when the plan now differs from the
 * confirmed one, errors of limits and quotas, MissingRowError when the space was deleted meanwhile
 */
export const importSpace = (
  call: ParticipantCall,
  { file, deleteMissing, confirmedPlan, signal }: ImportOptions,
): Promise<ImportResult> => {
  const { core, space, role } = call
  return withArchive(file, call, signal, async uploaded => {
    const archive = role === 'editor' ? { ...uploaded, name: undefined, icon: undefined } : uploaded
    const current = await atOneMoment(core.database, sql =>
      readCurrentContent(sql, space.id, wantedFor(archive)),
    )
    const planFor = await planner(core, space.id, archive, current, deleteMissing)
    const preview = planFor(current)
    const result = { plan: digestOfPlan(preview), changes: changesOf(preview) }
    if (confirmedPlan === undefined) return { ...result, operation: null }
    if (result.plan !== confirmedPlan) throw new Problem('space_changed')
    if (result.changes.length === 0) return { ...result, operation: null }

    // Equal plans have the same files, so the contents of the files of this plan can be staged before the lock.
    const { operation } = await applyAsOperation(call, preview, signal, async write => {
      const plan = planFor(await readCurrentContent(write.sql, space.id, wantedFor(archive), current))
      if (digestOfPlan(plan) !== confirmedPlan) throw new Problem('space_changed')
      return plan
    })
    return { ...result, operation }
  })
}

/**
 * Applies a plan in one transaction, as one operation of the history.
 *
 * @param preview the plan, from which the contents of new files are staged before the space is locked
 * @param planAgain plans again under the lock of the space. Returns a plan with the same files, or throws
 * @param finish works in the transaction after the plan was applied
 */
export const applyAsOperation = async <T>(
  { core, caller, space, check, checkOwner, write: writeSpace }: SpaceCall,
  preview: Plan,
  signal: AbortSignal | undefined,
  planAgain: (write: SpaceWrite) => Promise<Plan>,
  finish: (write: SpaceWrite) => Promise<T> | undefined = () => undefined,
): Promise<{ operation: string; result: T | undefined }> => {
  const operation = newId()
  const work = async (write: SpaceWrite, staged: readonly FileContent[]) => {
    requireCaller(signal)
    const plan = await planAgain(write)
    await applyPlan(write, plan, staged)
    requireCaller(signal)
    // A large import takes seconds, so check the caller at its end too.
    await check(write.sql)
    if (plan.settings.length > 0) await checkOwner(write.sql)
    await recordEvent(write.sql, { spaceId: space.id }, 'restored', caller, {
      cause: 'import',
      items: changesOf(plan).length,
    })
    return finish(write)
  }
  const result = await withAllStaged(core, space.id, newContents(preview), staged =>
    writeSpace(write => work(write, staged), { cause: 'import', id: operation }),
  )
  return { operation, result }
}

/**
 * Does the slow part of planning an import before the space is locked. While the space is locked, the service plans the
 * import again. That is fast, because the slow part is already done.
 *
 * @param seen the content of the space before the space is locked
 * @returns a function that plans the import for the current content of the space. The function throws `space_changed`
 * if {@link matchFiles} chooses a different id for a file of the archive than it chose for `seen`. The function also
 * throws the errors of {@link requireAllowed}.
 */
const planner = async (
  { addresses, creationLimits }: Core,
  spaceId: string,
  archive: Archive,
  seen: CurrentContent,
  deleteMissing: boolean,
): Promise<(current: CurrentContent) => Plan> => {
  const { ids } = matchFiles(spaceId, seen, archive.files)
  const replaced = await withAddressesReplaced(archive, ids, addresses)
  return current => {
    const matched = matchFiles(spaceId, current, archive.files)
    for (const [archived, id] of ids) if (matched.ids.get(archived) !== id) throw new Problem('space_changed')
    const plan = planImport(current, { ...replaced, files: matched.files }, deleteMissing)
    requireAllowed(plan, { ...current, pages: current.pages.length }, creationLimits)
    return plan
  }
}

/** What a plan does, as the caller sees it. */
export const changesOf = (plan: Plan): PlannedChange[] => {
  const list = <Step extends { before?: unknown; after?: unknown }>(
    kind: PlannedChange['kind'],
    steps: readonly Step[],
    nameOf: (step: Step) => string,
  ): PlannedChange[] =>
    steps.map(step => ({
      kind,
      name: nameOf(step),
      action: step.before === undefined ? 'add' : step.after === undefined ? 'delete' : 'change',
    }))
  return [
    ...list('space', plan.settings, ({ setting }) => setting),
    ...list('page', plan.pages, ({ before, after }) => (after ?? before)!.slug),
    ...list('part', plan.parts, ({ before, after }) => (after ?? before)!.name),
    ...list('record', plan.records, ({ before, after }) => (after ?? before)!.key),
    ...list('file', plan.files, ({ before, after }) => (after ?? before)!.name),
  ]
}

/**
 * What an import does or would do to one item. If `kind` is `'space'`, the item is the name of the space or its icon.
 * In these cases, the field `name` contains `'name'` or `'icon'`.
 */
const PlannedChange = z.object({
  kind: z.enum(['space', 'page', 'part', 'record', 'file']),
  name: z.string(),
  action: z.enum(['add', 'change', 'delete']),
})

/** What an import does or would do. */
export const ImportResult = z.object({
  /** Identifies the changes and the current versions of the changed items. */
  plan: z.string(),
  changes: z.array(PlannedChange),
  /** Id of the import in the history; null for a preview, and if nothing changes. */
  operation: z.string().nullable(),
})

export type PlannedChange = z.output<typeof PlannedChange>
export type ImportResult = z.output<typeof ImportResult>
