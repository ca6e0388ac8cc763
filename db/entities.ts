import { Account } from './entities/account.ts'
import { DataRecord } from './entities/data-record.ts'
import { File } from './entities/file.ts'
import { Icon } from './entities/icon.ts'
import { Invite } from './entities/invite.ts'
import { Page } from './entities/page.ts'
import { Part } from './entities/part.ts'
import { Participant } from './entities/participant.ts'
import { Session } from './entities/session.ts'
import { SignInLink } from './entities/sign-in-link.ts'
import { Space } from './entities/space.ts'
import { SpaceKey } from './entities/space-key.ts'

/** Every table. The order does not matter. */
export const entities = [
  Account,
  Session,
  SignInLink,
  Space,
  Participant,
  Invite,
  SpaceKey,
  Icon,
  Page,
  Part,
  DataRecord,
  File,
]
