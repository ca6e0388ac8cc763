import { newId } from '../../../db/id.ts'
import { MissingRowError } from '../../../db/locks.ts'
import type { Sql } from '../../../db/orm.ts'
import { lockSpace } from '../../../db/queries/spaces.ts'
import { type Author, countChanges, SpaceWrite } from '../../../db/space-write.ts'
import type { Core } from '../../core/context.ts'
import type { Starter } from '../../core/rules.ts'
import { analyseIncludes, applyPlan } from '../transfer/apply-plan.ts'
import { type Includes, type Plan, requireAllowed } from '../transfer/plan.ts'
import { readStarter } from './read-starter.ts'

/** What a new space begins with. */
export interface StarterContent {
  plan: Plan
  includes: Includes
}

/**
 * Reads a starter and checks it against the limits of this service.
 *
 * @throws `limit_reached` when the service allows fewer pages, parts or files than the starter has
 */
export const prepareStarter = async (core: Core, starter: Starter): Promise<StarterContent> => {
  const content = await readStarter(starter)
  const additions = <After>(items: After[]) => items.map(after => ({ before: undefined, after }))
  const plan: Plan = {
    pages: additions(content.pages),
    parts: additions(content.parts),
    records: additions(content.records),
    files: additions(content.files),
  }
  const includes = await analyseIncludes(core, content)
  requireAllowed(plan, { pages: 0, parts: [], records: [], files: [] }, includes, core.creationLimits)
  return { plan, includes }
}

/**
 * Writes a starter into a space that was created in the same transaction, as one import in its history.
 *
 * @param sql the transaction
 */
export const fillSpace = async (
  sql: Sql,
  spaceId: string,
  author: Author,
  { plan, includes }: StarterContent,
): Promise<void> => {
  countChanges(sql)
  if (!(await lockSpace(sql, spaceId))) throw new MissingRowError('spaces')
  await applyPlan(new SpaceWrite(sql, spaceId, author, { cause: 'import', id: newId() }), plan, includes)
}
