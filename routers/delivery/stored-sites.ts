import type { Database } from '../../db/database.ts'
import * as delivery from '../../db/queries/delivery.ts'
import { findIcon } from '../../db/queries/icons.ts'
import { findOrigin } from '../../db/queries/spaces.ts'
import type { Sites } from '../api/sites.ts'

/** The sites in the database. */
export const storedSites = (database: Database): Sites => ({
  findSiteId: subdomain => delivery.findSiteId(database, subdomain),
  findSitePage: (spaceId, slug) => delivery.findSitePage(database, spaceId, slug),
  findSiteIconId: spaceId => delivery.findSiteIconId(database, spaceId),
  findRevision: spaceId => delivery.findRevision(database, spaceId),
  findDeliveredPage: (spaceId, pageId) => delivery.findDeliveredPage(database, spaceId, pageId),
  readPageBody: page => delivery.readPageBody(database, page),
  readSpaceContent: (spaceId, pageId) => delivery.readSpaceContent(database, spaceId, pageId),
  findSharedContentVersion: spaceId => delivery.findSharedContentVersion(database, spaceId),
  listSitePages: (spaceId, section) => delivery.listSitePages(database, spaceId, section),
  countSitePages: spaceId => delivery.countSitePages(database, spaceId),
  findDeliveredFile: (spaceId, fileId) => delivery.findDeliveredFile(database, spaceId, fileId),
  readFileBytes: (file, from, length) => delivery.readFileBytes(database, file, from, length),
  findOrigin: (kind, id) => findOrigin(database, kind, id),
  findIcon: id => findIcon(database, id),
})
