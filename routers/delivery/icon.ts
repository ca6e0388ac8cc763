import { ID_PATTERN } from '../../db/id.ts'
import { sqlOf } from '../../db/orm.ts'
import { findIcon } from '../../db/queries/icons.ts'
import type { Core } from '../core/context.ts'

/** Returns the PNG of the icon with this id, or null when it does not exist or was replaced. */
export const openIcon = async (core: Core, id: string): Promise<Buffer | null> => {
  if (!ID_PATTERN.test(id)) return null
  const icon = await findIcon(sqlOf(core.orm), id)
  return icon ? Buffer.from(icon.png) : null
}
