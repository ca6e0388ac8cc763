import { sqlOf } from '../../db/orm.ts'
import { isSubdomainTaken } from '../../db/queries/spaces.ts'
import { sessionActor } from '../access/browser-session.ts'
import type { Core } from '../core/context.ts'

/** Returns the handle of the signed-in person and the subdomain of the demo space. Each is null if there is none. */
export const readFrontPage = async (
  { orm, demo }: Core,
  sessionToken: string | undefined,
): Promise<{ handle: string | null; demo: string | null }> => {
  const sql = sqlOf(orm)
  const [person, hasDemo] = await Promise.all([
    sessionActor(sql, sessionToken),
    demo !== null && isSubdomainTaken(sql, demo),
  ])
  return { handle: person?.handle ?? null, demo: hasDemo ? demo : null }
}
