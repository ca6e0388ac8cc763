import { sqlOf } from '../../db/orm.ts'
import { isSubdomainTaken } from '../../db/queries/spaces.ts'
import { sessionActor } from '../access/browser-session.ts'
import type { Core } from '../core/context.ts'

/** Returns who opens the front page, and the demo, unless its participants have deleted it since the start. */
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
