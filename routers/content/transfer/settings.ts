import { hash } from 'node:crypto'
import { newId } from '../../../db/id.ts'
import { MissingRowError } from '../../../db/locks.ts'
import type { Sql } from '../../../db/orm.ts'
import { removeSpaceIcon, setSpaceIcon } from '../../../db/queries/icons.ts'
import { readState, type Setting } from '../../../db/queries/items.ts'
import { updateSpaceName } from '../../../db/queries/spaces.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import type { Archive } from './read-archive.ts'

/** The settings of a space that an archive contains. */
export interface Settings {
  name: string
  /** SHA-256 of the icon; null if the space has none. */
  icon: Buffer | null
}

/**
 * What an import does to one setting. `before` is undefined if the setting was not set before the import. `after` is
 * undefined if the import removes the setting.
 */
export interface SettingStep {
  setting: Setting
  before: string | undefined
  /** The new name, or the SHA-256 of the new icon in base64. */
  after: string | undefined
  /** Changes the setting. */
  apply: (write: SpaceWrite) => Promise<unknown>
}

/** @throws MissingRowError when the space was deleted */
export const readSettings = async (sql: Sql, spaceId: string): Promise<Settings> => {
  const name = await readState(sql, spaceId, 'space', 'name')
  if (!name) throw new MissingRowError('spaces')
  const icon = await readState(sql, spaceId, 'space', 'icon')
  return { name: (name.fields.name as string | undefined) ?? '', icon: icon?.digest ?? null }
}

/**
 * Compares the settings in an archive with the settings of a space.
 *
 * @param deleteMissing whether the icon is removed if the exported space had none
 */
export const planSettings = (
  current: Settings,
  { name, icon }: Pick<Archive, 'name' | 'icon'>,
  deleteMissing: boolean,
): SettingStep[] => {
  const steps: SettingStep[] = []
  if (name !== undefined && name !== current.name)
    steps.push({
      setting: 'name',
      before: current.name,
      after: name,
      apply: write => updateSpaceName(write, name),
    })
  const digest = icon ? hash('sha256', icon.png, 'buffer') : null
  const isSame = [icon?.digest, digest].some(one => one && current.icon?.equals(one))
  const before = current.icon?.toString('base64')
  if (icon && digest && !isSame)
    steps.push({
      setting: 'icon',
      before,
      after: digest.toString('base64'),
      apply: write => setSpaceIcon(write, { id: newId(), png: icon.png }),
    })
  if (icon === null && deleteMissing && current.icon)
    steps.push({ setting: 'icon', before, after: undefined, apply: removeSpaceIcon })
  return steps
}
