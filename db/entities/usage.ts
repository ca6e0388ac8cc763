/** How keys and tokens are used. Deleted with the key or token. */
import { defineEntity, p } from '@mikro-orm/core'
import { id, instant } from './columns.ts'
import { SpaceKey, UserToken } from './credentials.ts'

/** The key or token; one of them is null. */
const credential = {
  key: () => p.manyToOne(SpaceKey).mapToPk().deleteRule('cascade').nullable().index(),
  token: () => p.manyToOne(UserToken).mapToPk().deleteRule('cascade').nullable().index(),
}

/** How many calls a key or token made on one day of UTC, by result. */
export const UsageDay = defineEntity({
  name: 'UsageDay',
  tableName: 'usage_days',
  properties: {
    /** The id of the key or token. */
    credential: id().primary(),
    day: p.date().primary().index(),
    ...credential,
    succeeded: p.integer(),
    /** Refused with a status below 500, apart from `limited`. */
    refused: p.integer(),
    /** Refused because of a rate limit. */
    limited: p.integer(),
    failed: p.integer(),
  },
  checks: [{ name: 'usage_days_one_credential', expression: 'num_nonnulls("key_id", "token_id") = 1' }],
})

/** A call that did not succeed. A key or token has a bounded number of them. */
export const FailedCall = defineEntity({
  name: 'FailedCall',
  tableName: 'failed_calls',
  properties: {
    position: p.bigint().primary().autoincrement(),
    ...credential,
    at: instant().index(),
    method: p.text(),
    /** Without the query; for a tool, the path of the tool server and the name of the tool. */
    path: p.text(),
    status: p.smallint(),
    code: p.text(),
    /** The fields that broke a rule. */
    fields: p.array().$type<string[]>(),
    /** The reference of the request in the log. */
    reference: p.text(),
  },
  checks: [{ name: 'failed_calls_one_credential', expression: 'num_nonnulls("key_id", "token_id") = 1' }],
})
