/** How often the pages of sites were read. Nothing here is about a person, except for the current day's hashes. */
import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'
import { SpaceName } from './spaces.ts'

const space = () => p.manyToOne(SpaceName).mapToPk().primary().deleteRule('cascade')

/** A day of UTC. */
const day = () => p.date()

/** The figures of a space for one day. */
export const VisitDay = defineEntity({
  name: 'VisitDay',
  tableName: 'visit_days',
  properties: {
    space,
    day: day().primary().index(),
    views: p.integer(),
    /** Exact, until there are more visitors than `visitor_hashes` keeps for a space. */
    visitors: p.integer(),
    isEstimate: p.boolean(),
    notFound: p.integer(),
    failed: p.integer(),
  },
})

/** How often something was counted for a space on one day. A day has a bounded number of rows of each kind. */
export const VisitCount = defineEntity({
  name: 'VisitCount',
  tableName: 'visit_counts',
  properties: {
    space,
    day: day().primary().index(),
    kind: p.enum(['page', 'source', 'not_found', 'failed'] as const).primary(),
    /** A path, or a host for a source. Empty for all that have no row of their own. */
    name: p.text().collation('C').primary(),
    count: p.integer(),
  },
})

/** The views of a space in one hour. Kept for two days. */
export const VisitHour = defineEntity({
  name: 'VisitHour',
  tableName: 'visit_hours',
  properties: {
    space,
    hour: instant().primary().index(),
    views: p.integer(),
  },
})

/** The visitors of a space who were already counted today. Deleted after the day, and never in a backup. */
export const VisitorHash = defineEntity({
  name: 'VisitorHash',
  tableName: 'visitor_hashes',
  properties: {
    space,
    day: day().primary(),
    hash: p.bigint('bigint').primary(),
  },
})

/** The secret without which the hashes of a day mean nothing. Deleted after the day, and never in a backup. */
export const VisitSalt = defineEntity({
  name: 'VisitSalt',
  tableName: 'visit_salts',
  properties: {
    day: day().primary(),
    salt: p.blob(),
  },
})
