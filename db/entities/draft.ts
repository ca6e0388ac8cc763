import { defineEntity, p } from '@mikro-orm/core'
import { Account } from './account.ts'
import { id, instant } from './columns.ts'
import { SpaceName } from './space-name.ts'

/** An account's unsaved edits of a page, part, record or post. No API and no site reads it. */
export const Draft = defineEntity({
  name: 'Draft',
  tableName: 'drafts',
  properties: {
    /** Also part of the address of the draft's preview. */
    id: id().primary(),
    account: () => p.manyToOne(Account).mapToPk().deleteRule('cascade'),
    /** Null for a post. */
    space: () => p.manyToOne(SpaceName).mapToPk().deleteRule('cascade').nullable(),
    kind: p.enum(['page', 'part', 'record', 'post'] as const),
    /** The edited item's id or key; for an item that was never saved, an id that the editor generated. */
    thing: id(),
    isNew: p.boolean(),
    /** The edited fields, and the version that the edits are based on, as JSON. */
    content: p.text(),
    /** Bytes of `content` in UTF-8. */
    size: p.integer(),
    /** When the sharing of the preview ends; null if it was never shared. */
    sharedUntil: instant().nullable(),
    updatedAt: instant(),
  },
  indexes: [
    {
      name: 'drafts_thing_unique',
      expression: `create unique index "drafts_thing_unique" on "drafts" ("account_id", coalesce("space_id", ''), "kind", "thing")`,
    },
    { name: 'drafts_space_index', properties: ['space', 'kind', 'thing'] },
    { name: 'drafts_updated_index', properties: ['updatedAt'] },
  ],
})
