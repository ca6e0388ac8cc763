import {
  Account,
  KnownBrowser,
  Passkey,
  PasskeyChallenge,
  RecoveryCode,
  Session,
  SignInLink,
} from './entities/accounts.ts'
import { Blob, Change, DataRecord, File, Page, Part, Space, UnusedObject, Write } from './entities/content.ts'
import {
  KeptAnswer,
  OauthClient,
  OauthCode,
  OauthGrant,
  SpaceKey,
  UploadLink,
  UserToken,
} from './entities/credentials.ts'
import { Presence } from './entities/presences.ts'
import {
  Comment,
  Follow,
  FormattedComment,
  Like,
  Mute,
  Notification,
  Post,
  PostChange,
  Report,
} from './entities/social.ts'
import {
  AuditEvent,
  DeletedSpace,
  Domain,
  Draft,
  Icon,
  Invite,
  Origin,
  Participant,
  PreviewLink,
  Schedule,
  SpaceName,
} from './entities/spaces.ts'
import { FailedCall, UsageDay } from './entities/usage.ts'
import { VisitCount, VisitDay, VisitHour, VisitorHash, VisitSalt } from './entities/visits.ts'
import { Webhook, WebhookDelivery } from './entities/webhooks.ts'

/**
 * Tables with the content of spaces. They can be distributed by space (see `distribute.sql`), so their keys contain the
 * space, and no foreign keys connect them with the directory. Each table refers only to earlier ones in this list.
 */
const content = [Space, Page, Part, DataRecord, File, Blob, Write, Change, UnusedObject]

/** All other tables. They stay on one server. */
const directory = [
  Account,
  Session,
  SignInLink,
  Passkey,
  PasskeyChallenge,
  RecoveryCode,
  KnownBrowser,
  SpaceName,
  DeletedSpace,
  Participant,
  Invite,
  SpaceKey,
  UploadLink,
  Icon,
  Origin,
  Domain,
  Webhook,
  WebhookDelivery,
  Draft,
  PreviewLink,
  Schedule,
  AuditEvent,
  Presence,
  UserToken,
  OauthClient,
  OauthCode,
  OauthGrant,
  KeptAnswer,
  UsageDay,
  FailedCall,
  Post,
  PostChange,
  Comment,
  FormattedComment,
  Like,
  Follow,
  Mute,
  Report,
  Notification,
  VisitDay,
  VisitCount,
  VisitHour,
  VisitorHash,
  VisitSalt,
]

/**
 * Tables of the directory whose rows are never in a backup, because they are about people and end with the day or sooner.
 * The tables themselves are in the backup, empty.
 */
export const unsavedTables: readonly string[] = [VisitorHash, VisitSalt, Presence].map(
  ({ meta }) => meta.tableName,
)

/** Every table, in any order. */
export const entities = [...content, ...directory]

/** Names of the tables with content. Each table refers only to earlier ones. */
export const contentTables: readonly string[] = content.map(({ meta }) => meta.tableName)

/** Names of the service's tables at the current migration. */
export const ownTables: readonly string[] = entities.map(({ meta }) => meta.tableName)
