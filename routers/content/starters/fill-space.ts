import type { FileContent } from '../../../db/file-store/content.ts'
import { MissingRowError } from '../../../db/locks.ts'
import { beginWrite } from '../../../db/queries/writes.ts'
import { type Author, SpaceWrite } from '../../../db/space-write.ts'
import type { Transaction } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { type Starter, starterOperation } from '../../api/rules.ts'
import { applyPlan } from '../transfer/apply-plan.ts'
import { type Plan, requireAllowed } from '../transfer/plan.ts'
import { readStarter } from './read-starter.ts'

/**
 * Plans what a starter adds to a new space, and checks it against the limits of this service.
 *
 * @throws `limit_reached` when the service allows fewer pages, parts or files than the starter has
 */
export const prepareStarter = async (core: Core, accountId: string, starter: Starter): Promise<Plan> => {
  const content = await readStarter(core, accountId, starter)
  const additions = <After>(items: After[]) => items.map(after => ({ before: undefined, after }))
  const plan: Plan = {
    settings: [],
    pages: additions(content.pages),
    parts: additions(content.parts),
    records: additions(content.records),
    files: additions(content.files),
  }
  requireAllowed(plan, { pages: 0, parts: [], records: [], files: [] }, core.creationLimits)
  return plan
}

/**
 * Writes a starter into a new space. In the history of the space, the starter is one import.
 *
 * @param sql the transaction that created the space
 * @param staged see {@link applyPlan}
 */
export const fillSpace = async (
  sql: Transaction,
  spaceId: string,
  author: Author,
  starter: Starter,
  plan: Plan,
  staged: readonly FileContent[],
): Promise<void> => {
  const operation = { cause: 'import', id: starterOperation(starter) } as const
  const revision = beginWrite(sql, spaceId, author, operation)
  if ((await revision) === undefined) throw new MissingRowError('spaces')
  await applyPlan(new SpaceWrite(sql, spaceId, author, revision), plan, staged)
}
