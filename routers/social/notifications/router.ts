import { z } from 'zod'
import {
  countUnread,
  listNotifications,
  markRead,
  type NotificationRow,
} from '../../../db/queries/notifications.ts'
import { timestamp } from '../../api/fields.ts'
import { byPosition, pageOf, positionCursor, writeCursor } from '../../api/pages.ts'
import { limits, userRules } from '../../api/rules.ts'
import { shownText } from '../../api/shown-text.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { titleOf } from '../posts/title.ts'

/** Number of notifications on one page of the list. */
const PAGE_SIZE = 30

/** The id of a notification is its row's `position`. */
const POSITION = /^\d{1,18}$/

const notificationId = z.string().regex(POSITION, { error: 'is not the id of a notification' })

const Notification = z.object({
  id: z.string(),
  kind: z.enum([
    'commented',
    'reblogged',
    'report_dismissed',
    'report_accepted',
    'taken_down',
    'suspended',
    'suspension_lifted',
    'domain_switched_off',
    'webhook_switched_off',
    'made_owner',
    'made_editor',
    'removed_from_space',
    'schedule_failed',
  ]),
  at: timestamp,
  is_read: z.boolean(),
  /** Who commented or reblogged; null for decisions of operators. */
  person: z.object({ handle: z.string(), name: z.string() }).nullable(),
  /** The post to which the notification leads; null after it was taken down. */
  post: z.object({ id: z.string(), title: z.string() }).nullable(),
  comment_id: z.string().nullable(),
  /** Cursor of the page of comments that shows this comment. Null for the first page, or if there is no comment. */
  comments_from: z.string().nullable(),
  /** What was reported or taken down, a post or a comment; null for the other kinds of notifications. */
  subject: z.enum(['post', 'comment']).nullable(),
  /**
   * For a new comment: its text. For a decided report: the reporter’s reason. For a post or comment that was taken
   * down: the title of the post, or the text of the comment. For a space that the person was removed from: its name. May be
   * empty.
   */
  text: z.string(),
  /** The text as HTML; null if it is plain text. */
  html: z.string().nullable(),
  /**
   * The space in which the person's role changed, or of what was switched off, a domain or webhook whose name or host is
   * `text`; null for the other kinds.
   */
  space: z.object({ subdomain: z.string(), name: z.string() }).nullable(),
  /** Why the post or comment was taken down or the account was suspended; null if the operator gave no reason. */
  reason: z.string().nullable(),
})

/** A person's notifications about what others did with their posts, comments and reports. */
export const notifications = router({
  /** The person's notifications, latest first. */
  list: signedIn
    .input(z.strictObject({ cursor: positionCursor }))
    .output(
      z.object({
        notifications: z.array(Notification),
        /** Null on the last page. */
        next: z.string().nullable(),
        /** How long notifications are kept, in days. */
        kept_days: z.int(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const found = await listNotifications(ctx.sql, ctx.session.accountId, {
        before: input.cursor,
        limit: PAGE_SIZE + 1,
        commentsPerPage: userRules.comment.list_max_count,
      })
      const { rows, next } = pageOf(found, PAGE_SIZE, byPosition)
      return {
        notifications: rows.map(toNotification),
        next,
        kept_days: limits.notificationDays,
      }
    }),

  /** The number of unread notifications, counted up to `limits.unreadNotifications`. */
  unread: signedIn
    .input(z.strictObject({}).optional())
    .output(z.object({ count: z.int() }))
    .query(async ({ ctx }) => ({
      count: await countUnread(ctx.sql, ctx.session.accountId, limits.unreadNotifications),
    })),

  /** Marks a notification as read. Does nothing if it is read already or no longer exists. */
  markRead: signedIn
    .input(z.strictObject({ notification_id: notificationId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const target = { position: input.notification_id, andEarlier: false }
      await ctx.transaction(sql => markRead(sql, ctx.session.accountId, target, new Date()))
    }),

  /** Marks a notification and all earlier ones as read. Newer ones, which the person has not seen yet, stay unread. */
  markAllRead: signedIn
    .input(z.strictObject({ latest_id: notificationId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const target = { position: input.latest_id, andEarlier: true }
      await ctx.transaction(sql => markRead(sql, ctx.session.accountId, target, new Date()))
    }),
})

const PARTICIPATION = { owner: 'made_owner', editor: 'made_editor', removed: 'removed_from_space' } as const

/** What happened; see `Notification` in `entities/social.ts`. */
const kindOf = ({
  domain,
  webhook,
  participation,
  schedule,
  decision,
  kind,
}: NotificationRow): z.input<typeof Notification>['kind'] => {
  if (participation !== null) return PARTICIPATION[participation]
  if (domain !== null) return 'domain_switched_off'
  if (schedule !== null) return 'schedule_failed'
  return webhook === null ? (decision ?? kind) : 'webhook_switched_off'
}

const toNotification = (row: NotificationRow): z.input<typeof Notification> => {
  const { post_id, post_format: format } = row
  const kind = kindOf(row)
  const isByPerson = kind === 'commented' || kind === 'reblogged'
  return {
    id: row.position,
    kind,
    at: row.at.toISOString(),
    is_read: row.read_at !== null,
    person:
      isByPerson && row.person_handle !== null
        ? { handle: row.person_handle, name: row.person_name ?? row.person_handle }
        : null,
    post:
      post_id === null || format === null
        ? null
        : {
            // For a reblog, the id is that of the reblog, and the title is that of the reblogged post.
            id: row.reblog_id ?? post_id,
            title: shownText(
              titleOf({ format, html: row.post_html, url: row.post_url, text: row.post_text }),
            ),
          },
    comment_id: row.comment_id,
    comments_from:
      row.is_on_later_page && row.commented_at ? writeCursor({ at: row.commented_at, position: '0' }) : null,
    subject: row.subject,
    text:
      row.domain ?? row.webhook ?? row.schedule ?? (kind === 'commented' ? row.comment_body : row.text) ?? '',
    html: kind === 'commented' ? row.html : null,
    space:
      row.space_subdomain === null || row.space_name === null
        ? null
        : { subdomain: row.space_subdomain, name: row.space_name },
    reason: row.reason,
  }
}
