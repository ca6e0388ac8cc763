import { newId } from '../../../db/id.ts'
import { withSpaceLocked } from '../../../db/locks.ts'
import { type Sql, sqlOf } from '../../../db/orm.ts'
import { listDataWithSizes } from '../../../db/queries/data.ts'
import { listPages } from '../../../db/queries/pages.ts'
import { listPartEdges } from '../../../db/queries/parts.ts'
import { listFilesWithDigests } from '../../../db/queries/transfer.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { recordEvent } from '../../access/audit.ts'
import { authorOf } from '../../access/author.ts'
import type { SessionActor, SpaceRef } from '../../core/actor.ts'
import type { Core } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import { analysed, applyPlan } from './apply-plan.ts'
import { digestOfPlan, type Plan, planImport } from './plan.ts'
import { withArchive } from './read-archive.ts'
import { requireAllowed, type Totals } from './require-allowed.ts'
import type { ImportResult, PlannedChange } from './schema.ts'

/** How to import. */
interface ImportOptions {
  file: string
  /** Whether items that are not in the archive are deleted. */
  deleteMissing: boolean
  /** The id of the plan that the person has confirmed; undefined for a preview. */
  confirmedPlan: string | undefined
}

/**
 * Imports an archive into a space, in one transaction and as one operation of the history. Without a confirmed plan it
 * writes nothing and returns what it would do.
 *
 * @throws `validation_failed` for an archive that breaks a rule, `space_changed` when the plan now differs from the
 * confirmed one, errors of limits and quotas, MissingRowError when the space was deleted meanwhile
 */
export const importSpace = (
  core: Core,
  actor: SessionActor,
  space: SpaceRef,
  { file, deleteMissing, confirmedPlan }: ImportOptions,
): Promise<ImportResult> =>
  withArchive(file, core.creationLimits, async archive => {
    const content = await analysed(core, archive)
    const { addresses, creationLimits } = core
    const check = async (sql: Sql): Promise<Plan> => {
      const plan = await planImport(sql, space.id, content, { addresses, deleteMissing })
      requireAllowed(plan, await totalsOf(sql, space.id), creationLimits)
      return plan
    }
    const sql = sqlOf(core.orm)
    const preview = await check(sql)
    const result = { plan: digestOfPlan(preview), changes: changesOf(preview) }
    if (confirmedPlan === undefined || (result.changes.length === 0 && result.plan === confirmedPlan))
      return { ...result, operation: null }

    const operation = newId()
    const work = async (write: SpaceWrite) => {
      const plan = await check(write.sql)
      if (digestOfPlan(plan) !== confirmedPlan) throw new Problem('space_changed')
      await applyPlan(write, plan)
      await recordEvent(write.sql, { spaceId: space.id }, 'restored', actor, {
        cause: 'import',
        items: changesOf(plan).length,
      })
    }
    await withSpaceLocked(core.orm, space.id, authorOf(actor, {}), work, { cause: 'import', id: operation })
    return { ...result, operation }
  })

const totalsOf = async (sql: Sql, spaceId: string): Promise<Totals> => ({
  pages: (await listPages(sql, spaceId)).length,
  parts: await listPartEdges(sql, spaceId),
  records: await listDataWithSizes(sql, spaceId),
  files: await listFilesWithDigests(sql, spaceId),
})

const changesOf = (plan: Plan): PlannedChange[] => {
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
