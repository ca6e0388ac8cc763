import { isSubdomainTaken } from '../../db/queries/spaces.ts'
import type { Core } from '../api/context.ts'

/** Returns the subdomain of the demo space, or null if there is none. */
export const demoSubdomain = async ({ database, demo }: Core): Promise<string | null> =>
  demo !== null && (await isSubdomainTaken(database, demo)) ? demo : null
