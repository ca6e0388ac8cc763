import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { type AuditKind, type AuditOwner, listAuditEvents } from '../../../db/queries/audit.ts'
import type { Core } from '../../api/context.ts'
import { subdomain, text, timestamp } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { byPosition, pageOf, positionCursor } from '../../api/pages.ts'
import { limits } from '../../api/rules.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { role } from '../../spaces/participants/schema.ts'
import { describeBrowser } from '../sessions/browser.ts'

const PAGE_SIZE = 50

/** The topics that the list can be filtered by, each with its kinds of events. */
const TOPICS = {
  sign_ins: ['signed_in', 'sign_in_failed'],
  credentials: ['key_issued', 'key_rotated', 'key_revoked', 'token_issued', 'token_rotated', 'token_revoked'],
  participants: ['participant_joined', 'participant_left', 'participant_removed', 'role_changed'],
  content: ['exported', 'restored', 'erased'],
  domains: [
    'domain_added',
    'domain_removed',
    'domain_verified',
    'domain_switched_off',
    'main_domain_changed',
  ],
  webhooks: [
    'webhook_added',
    'webhook_removed',
    'webhook_secret_rotated',
    'webhook_switched_off',
    'webhook_switched_on',
  ],
  suspensions: ['account_suspended', 'suspension_lifted'],
  refusals: ['refused'],
} as const satisfies Record<string, readonly AuditKind[]>

const ALL = Object.values(TOPICS).flat()

const topic = z.enum(Object.keys(TOPICS) as [keyof typeof TOPICS, ...(keyof typeof TOPICS)[]])

const instant = z.iso.datetime({ error: 'must be a UTC timestamp' }).transform(value => new Date(value))

const filter = {
  topic: topic.optional(),
  /** Part of a person's handle, or of the label of a key or token. */
  who: text({ min: 1, max: limits.quickSearch, trim: true }).optional(),
  /** Only events at or after this time. */
  since: instant.optional(),
  /** Only events before this time. */
  until: instant.optional(),
  cursor: positionCursor,
}

const Filter = z.strictObject(filter)

const Event = z.object({
  id: z.string(),
  at: timestamp,
  kind: z.enum(ALL),
  /** The handle of the caller's account; null if the account has been deleted, or if the event names no caller. */
  handle: z.string().nullable(),
  /**
   * Whether the event names no caller: nobody was signed in, the service itself acted, or an operator acted, whom the
   * log does not name.
   */
  is_anonymous: z.boolean(),
  /**
   * The label of the key or token that the caller used. Null if the caller used neither, or if the caller's account
   * has been deleted.
   */
  actor_label: z.string().nullable(),
  /** How often the event happened. Frequent events are counted by the hour. Old events can be merged by the hour. */
  count: z.int(),
  /**
   * The label of the key or token that the event is about, the name of the domain or of the webhook's host, or the handle of
   * the person whose role was changed or who was removed. Null if one of these accounts has been deleted: the account that
   * issued the key or token, that of the person, or the caller's account.
   */
  label: z.string().nullable(),
  scopes: z.array(z.string()),
  /** The role of the person who joined, or the new role because of which something changed or ended. Null for all else. */
  role: role.nullable(),
  /** How someone signed in or tried to. */
  method: z.enum(['password', 'passkey', 'link', 'recovery_code', 'new_account', 'confirmation']).nullable(),
  /** Browser and system, such as "Firefox on Windows"; null when unknown. */
  browser: z.string().nullable(),
  /** Why calls or sign-ins were refused; null if a sign-in failed because of a wrong password or code. */
  code: z.string().nullable(),
  /**
   * Why a key or token ended, a domain was removed, or a webhook was switched off; null if someone did it in the
   * dashboard.
   */
  reason: z
    .enum([
      'app',
      'unused',
      'code_reused',
      'refresh_reused',
      'password_changed',
      'issuer_left',
      'unproved',
      'gone',
      'failing',
    ])
    .nullable(),
  /** What caused a `restored` event: a restore, an undo or an import. */
  cause: z.enum(['restore', 'undo', 'import']).nullable(),
  /**
   * The item that was restored or erased. The name of a setting is `name` or `icon`; a post has no name. Null in older
   * events.
   */
  item: z
    .object({
      kind: z.enum(['page', 'part', 'record', 'file', 'space', 'post']),
      name: z.string().nullable(),
    })
    .nullable(),
  /** How many items an undo or an import changed. Null in older events. */
  items: z.int().nullable(),
})

const Page = z.object({ events: z.array(Event), next: z.string().nullable() })

/** What the details of an event can contain; see `recordEvent`. */
interface Details {
  label?: string
  scopes?: string[]
  role?: z.output<typeof role>
  method?: z.output<typeof Event>['method']
  user_agent?: string | null
  code?: string
  reason?: z.output<typeof Event>['reason']
  cause?: z.output<typeof Event>['cause']
  item?: z.output<typeof Event>['item']
  items?: number
}

const listPage = async (
  { core, sql }: { core: Core; sql: Sql },
  accountId: string,
  owner: AuditOwner,
  { topic, cursor, who, since, until }: z.output<typeof Filter>,
): Promise<z.output<typeof Page>> => {
  const filter = { kinds: topic ? TOPICS[topic] : ALL, who, since, until, before: cursor }
  const list = () => listAuditEvents(sql, owner, filter, PAGE_SIZE + 1)
  // The search for a text reads all events, and the people of each.
  const found = await (who === undefined ? list() : core.slowQueries.run(accountId, 1, list))
  const { rows, next } = pageOf(found, PAGE_SIZE, byPosition)
  const events = rows.map(row => {
    const { label, scopes, role, method, user_agent, code, reason, cause, item, items } =
      row.details as Details
    // Hide labels once the account has been deleted, because they can contain the person's name.
    const isDeleted = row.actor !== null && row.handle === null
    return {
      id: row.position,
      at: row.at.toISOString(),
      kind: row.kind,
      handle: row.handle,
      is_anonymous: row.actor === null,
      actor_label: isDeleted ? null : row.actor_label,
      count: row.count,
      label: isDeleted || row.is_issuer_deleted ? null : (label ?? null),
      scopes: scopes ?? [],
      role: role ?? null,
      method: method ?? null,
      browser: describeBrowser(user_agent ?? null),
      code: code ?? null,
      reason: reason ?? null,
      cause: cause ?? null,
      item: item ?? null,
      items: items ?? null,
    }
  })
  return { events, next }
}

/** The audit log: who got access to what and when, and what was refused. Kept for a year. */
export const audit = router({
  /** The events of a space, newest first, for its owners. */
  ofSpace: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, ...filter }))
    .output(Page)
    .query(({ ctx, input }) => listPage(ctx, ctx.accountId, { spaceId: ctx.space.id }, input)),

  /** The events of the caller's account, newest first. */
  ofAccount: signedIn
    .input(Filter)
    .output(Page)
    .query(({ ctx, input }) => {
      const { accountId } = ctx.session
      return listPage(ctx, accountId, { accountId }, input)
    }),
})
