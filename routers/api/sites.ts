import type { Sql } from '../../db/database.ts'
import type * as delivery from '../../db/queries/delivery.ts'
import type { findIcon } from '../../db/queries/icons.ts'
import type { findOrigin } from '../../db/queries/spaces.ts'

/** A query without its first parameter, the database. */
type Of<Query> = Query extends (db: Sql, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never

/**
 * Where the delivery of sites reads their content: the database, or for `space dev` a folder. The functions are the
 * queries of `db/queries/delivery.ts`, which describes them.
 */
export interface Sites {
  findSiteId: Of<typeof delivery.findSiteId>
  findSitePage: Of<typeof delivery.findSitePage>
  findSiteIconId: Of<typeof delivery.findSiteIconId>
  findRevision: Of<typeof delivery.findRevision>
  findDeliveredPage: Of<typeof delivery.findDeliveredPage>
  readPageBody: Of<typeof delivery.readPageBody>
  readSpaceContent: Of<typeof delivery.readSpaceContent>
  findSharedContentVersion: Of<typeof delivery.findSharedContentVersion>
  listSitePages: (
    ...args: Parameters<Of<typeof delivery.listSitePages>>
  ) => Promise<
    Pick<
      Awaited<ReturnType<typeof delivery.listSitePages>>[number],
      'id' | 'slug' | 'kind' | 'created_at' | 'updated_at'
    >[]
  >
  countSitePages: Of<typeof delivery.countSitePages>
  findDeliveredFile: Of<typeof delivery.findDeliveredFile>
  readFileBytes: Of<typeof delivery.readFileBytes>
  /** The space of the page or file with an id, and its first participant. */
  findOrigin: Of<typeof findOrigin>
  findIcon: Of<typeof findIcon>
}
