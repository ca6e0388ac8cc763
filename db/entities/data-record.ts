import { defineEntity, p } from '@mikro-orm/core'
import { instant, name } from './columns.ts'
import { Space } from './space.ts'

export const DataRecord = defineEntity({
  name: 'DataRecord',
  tableName: 'data_records',
  properties: {
    space: () => p.manyToOne(Space).mapToPk().primary().deleteRule('cascade'),
    key: name().primary(),
    /** Compact JSON as text: jsonb would reorder keys, change numbers and refuse U+0000. */
    value: p.text(),
    /** Bytes of `value` in UTF-8. */
    size: p.integer(),
    description: p.text().nullable(),
    version: p.integer(),
    updatedAt: instant(),
  },
})
