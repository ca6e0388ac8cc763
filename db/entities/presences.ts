/** Who has a space open in the dashboard. Nothing is kept after they leave. */
import { defineEntity, p } from '@mikro-orm/core'
import { Session } from './accounts.ts'
import { id, instant } from './columns.ts'
import { Participant } from './spaces.ts'

/**
 * A space that a browser follows with a stream. The row ends with the session and with the participation, and the stream
 * ends with the row. The table is unlogged and never in a backup: after a crash of the database, the browsers open new
 * streams.
 */
export const Presence = defineEntity({
  name: 'Presence',
  tableName: 'presences',
  properties: {
    stream: id().primary(),
    participant: () => p.manyToOne(Participant).mapToPk().primary().deleteRule('cascade').index(),
    session: () => p.manyToOne(Session).mapToPk().deleteRule('cascade').index(),
    /** When the process of the stream last said that the stream is open. */
    seenAt: instant().index(),
  },
})
