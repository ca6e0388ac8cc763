import { Account } from './entities/account.ts'
import { AuditEvent } from './entities/audit-event.ts'
import { Blob } from './entities/blob.ts'
import { Change } from './entities/change.ts'
import { Comment } from './entities/comment.ts'
import { DataRecord } from './entities/data-record.ts'
import { DeletedSpace } from './entities/deleted-space.ts'
import { Draft } from './entities/draft.ts'
import { File } from './entities/file.ts'
import { Follow } from './entities/follow.ts'
import { FormattedComment } from './entities/formatted-comment.ts'
import { Icon } from './entities/icon.ts'
import { Invite } from './entities/invite.ts'
import { KnownBrowser } from './entities/known-browser.ts'
import { Like } from './entities/like.ts'
import { Mute } from './entities/mute.ts'
import { Notification } from './entities/notification.ts'
import { OauthClient } from './entities/oauth-client.ts'
import { OauthCode } from './entities/oauth-code.ts'
import { OauthGrant } from './entities/oauth-grant.ts'
import { Origin } from './entities/origin.ts'
import { Page } from './entities/page.ts'
import { Part } from './entities/part.ts'
import { Participant } from './entities/participant.ts'
import { Passkey } from './entities/passkey.ts'
import { PasskeyChallenge } from './entities/passkey-challenge.ts'
import { Post } from './entities/post.ts'
import { PostChange } from './entities/post-change.ts'
import { RecoveryCode } from './entities/recovery-code.ts'
import { Report } from './entities/report.ts'
import { Session } from './entities/session.ts'
import { SignInLink } from './entities/sign-in-link.ts'
import { Space } from './entities/space.ts'
import { SpaceKey } from './entities/space-key.ts'
import { SpaceName } from './entities/space-name.ts'
import { UnusedObject } from './entities/unused-object.ts'
import { UploadLink } from './entities/upload-link.ts'
import { UserToken } from './entities/user-token.ts'
import { Write } from './entities/write.ts'

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
  Draft,
  AuditEvent,
  UserToken,
  OauthClient,
  OauthCode,
  OauthGrant,
  Post,
  PostChange,
  Comment,
  FormattedComment,
  Like,
  Follow,
  Mute,
  Report,
  Notification,
]

/** Every table, in any order. */
export const entities = [...content, ...directory]

/** Names of the tables with content. Each table refers only to earlier ones. */
export const contentTables: readonly string[] = content.map(({ meta }) => meta.tableName)

/** Names of the service's tables at the current migration. */
export const ownTables: readonly string[] = entities.map(({ meta }) => meta.tableName)
