import { Migration20261128001000_version_1 as Version1 } from './migrations/Migration20261128001000_version_1.ts'
import { Migration20261128002009_presences as Presences } from './migrations/Migration20261128002009_presences.ts'
import { Migration20261128005500_webhooks as Webhooks } from './migrations/Migration20261128005500_webhooks.ts'
import { Migration20261128034500_roles as Roles } from './migrations/Migration20261128034500_roles.ts'
import { Migration20261128041500_preview_links as PreviewLinks } from './migrations/Migration20261128041500_preview_links.ts'
import { Migration20261128042802_schedules as Schedules } from './migrations/Migration20261128042802_schedules.ts'

/** Every migration, oldest first. Listed rather than found by a folder scan, so that only reviewed files run. */
export const migrations = [Version1, Presences, Webhooks, Roles, PreviewLinks, Schedules]

/** Whether migrations of a version before 1.0.0 have been applied. They are no longer known. */
export const isBeforeVersion1 = (applied: readonly string[]): boolean =>
  applied.some(name => name < migrations[0]!.name)

/** What operators do with a database of a version before 1.0.0. */
export const BEFORE_VERSION_1 =
  'Start the earlier version, export each space in its settings, and import the archives with this version into an empty database: set another DATA_DIR or DATABASE_URL.'
