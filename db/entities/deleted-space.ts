import { defineEntity } from '@mikro-orm/core'
import { id } from './columns.ts'

/** A space that was deleted from the directory, and whose content is still to be deleted. */
export const DeletedSpace = defineEntity({
  name: 'DeletedSpace',
  tableName: 'deleted_spaces',
  properties: { id: id().primary() },
})
