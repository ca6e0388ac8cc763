import { sqlOf } from '../../db/orm.ts'
import { isSubdomainTaken } from '../../db/queries/spaces.ts'
import type { Core } from '../core/context.ts'

/** Returns the subdomain of the demo space, or null if there is none. */
export const demoSubdomain = async ({ orm, demo }: Core): Promise<string | null> =>
  demo !== null && (await isSubdomainTaken(sqlOf(orm), demo)) ? demo : null
