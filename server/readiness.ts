import { isMigrated } from '../db/migrate.ts'
import type { Core, Health } from '../routers/core/context.ts'

/** The answer of `/readyz`. */
interface Readiness {
  status: 'ready' | 'stopping' | 'no database' | 'migrating' | 'read-only: the disk is full'
  /** Configured dependencies that are unavailable now; left out if there are none. */
  missing?: string[]
}

/**
 * Returns whether the process can serve requests. The process can serve requests even if the file store, the shared
 * rate limits or some of the content servers are unavailable.
 */
export const readinessOf = async ({ health, orm }: Pick<Core, 'health' | 'orm'>): Promise<Readiness> => {
  if (health.isStopping) return { status: 'stopping' }
  const isMigratedNow = health.isDatabaseUp ? await isMigrated(orm).catch(() => undefined) : undefined
  const missing: string[] = []
  if (isMigratedNow === undefined) missing.push('database')
  if (!health.isWritable) missing.push('disk')
  if (health.isFileStoreUp === false) missing.push('file store')
  if (health.hasSharedLimits === false) missing.push('shared rate limits')
  for (const id of health.missingContentServers ?? []) missing.push(`content server ${id}`)
  return { status: statusOf(health, isMigratedNow), ...(missing.length > 0 ? { missing } : {}) }
}

const statusOf = ({ isWritable }: Health, isMigratedNow: boolean | undefined): Readiness['status'] => {
  if (isMigratedNow === undefined) return 'no database'
  if (!isMigratedNow) return 'migrating'
  return isWritable ? 'ready' : 'read-only: the disk is full'
}
