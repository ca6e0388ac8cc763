import { defineEntity } from '@mikro-orm/core'
import { id } from './columns.ts'

/** A space that is no longer in the directory, but whose content has not been deleted yet. */
export const DeletedSpace = defineEntity({
  name: 'DeletedSpace',
  tableName: 'deleted_spaces',
  properties: { id: id().primary() },
})
