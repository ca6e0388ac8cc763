import { type Insertable, type Selectable, sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import { isActive } from './suspensions.ts'

type Webhook = Selectable<Tables['webhooks']>

/** The columns of a webhook that participants see. Never its secrets. */
const COLUMNS = [
  'webhook.id as id',
  'webhook.url as url',
  'webhook.events as events',
  'webhook.created_at as created_at',
  'webhook.state as state',
  'webhook.off_reason as off_reason',
  'webhook.off_at as off_at',
  'webhook.failing_since as failing_since',
  'webhook.previous_until as previous_until',
  'account.handle as owner',
] as const

const selectWebhooks = (db: Sql, spaceId: string) =>
  db
    .selectFrom('webhooks as webhook')
    .innerJoin('participants as participant', 'participant.id', 'webhook.owner_id')
    .innerJoin('accounts as account', 'account.id', 'participant.account_id')
    .where('webhook.space_id', '=', spaceId)
    .select(COLUMNS)

/** A webhook as participants see it. */
export type WebhookRow = Awaited<ReturnType<typeof listWebhooks>>[number]

/** The webhooks of a space, the oldest first, each with the time of the next attempt to send something to it. */
export const listWebhooks = (db: Sql, spaceId: string) =>
  selectWebhooks(db, spaceId)
    .select(eb =>
      eb
        .selectFrom('webhook_deliveries as delivery')
        .whereRef('delivery.webhook_id', '=', 'webhook.id')
        .select(({ fn }) => fn.min('delivery.due_at').as('due_at'))
        .as('next_attempt_at'),
    )
    .orderBy('webhook.created_at')
    .orderBy('webhook.id')
    .execute()

/** How many webhooks a space has, and how many an account has added to any space. */
export const countWebhooks = async (
  db: Sql,
  spaceId: string,
  accountId: string,
): Promise<{ ofSpace: number; ofAccount: number }> => {
  const { rows } = await sql<{ ofSpace: number; ofAccount: number }>`select
    (select count(*)::int from webhooks where space_id = ${spaceId}) as "ofSpace",
    (select count(*)::int from webhooks join participants on participants.id = webhooks.owner_id
      where participants.account_id = ${accountId}) as "ofAccount"`.execute(db)
  return rows[0]!
}

/** Adds a webhook. */
export const insertWebhook = (db: Sql, webhook: Insertable<Tables['webhooks']>) =>
  db.insertInto('webhooks').values(webhook).execute()

/** Locks a webhook of a space until the transaction ends. @returns undefined if the space has no such webhook */
export const lockWebhook = (db: Sql, spaceId: string, id: string) =>
  db
    .selectFrom('webhooks')
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .select(['id', 'url', 'state', 'secret'])
    .forUpdate()
    .executeTakeFirst()

/**
 * Deletes the webhooks that an account has added, in one space or in all of its spaces.
 *
 * @returns the space and address of each
 */
export const deleteWebhooksOfOwner = (db: Sql, accountId: string, spaceId: string | null) =>
  db
    .deleteFrom('webhooks as webhook')
    .using('participants as owner')
    .whereRef('owner.id', '=', 'webhook.owner_id')
    .where('owner.account_id', '=', accountId)
    .$if(spaceId !== null, query => query.where('owner.space_id', '=', spaceId!))
    .returning(['webhook.space_id', 'webhook.url'])
    .execute()

/** Changes a webhook. */
export const updateWebhook = (
  db: Sql,
  id: string,
  change: Partial<
    Pick<
      Webhook,
      | 'secret'
      | 'previous_secret'
      | 'previous_until'
      | 'state'
      | 'off_reason'
      | 'off_at'
      | 'failing_since'
      | 'revision'
      | 'due_at'
    >
  >,
) => db.updateTable('webhooks').set(change).where('id', '=', id).execute()

/** Deletes a webhook with its deliveries. */
export const deleteWebhook = (db: Sql, id: string) => db.deleteFrom('webhooks').where('id', '=', id).execute()

/** The deliveries of a webhook of this space, the newest first, without what was sent. */
export const listDeliveries = (db: Sql, spaceId: string, webhookId: string) =>
  db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks as webhook', 'webhook.id', 'delivery.webhook_id')
    .where('webhook.space_id', '=', spaceId)
    .where('webhook.id', '=', webhookId)
    .select([
      'delivery.id as id',
      'delivery.kind as kind',
      'delivery.changes as changes',
      'delivery.created_at as created_at',
      'delivery.due_at as due_at',
      'delivery.delivered_at as delivered_at',
      'delivery.attempts as attempts',
      'delivery.attempted_at as attempted_at',
      'delivery.duration as duration',
      'delivery.status as status',
      'delivery.error as error',
    ])
    .orderBy('delivery.position', 'desc')
    .execute()

/** What was sent with a delivery of a webhook of this space; undefined if there is no such delivery. */
export const findDeliveryBody = async (
  db: Sql,
  spaceId: string,
  webhookId: string,
  id: string,
): Promise<string | undefined> =>
  (
    await db
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhooks as webhook', 'webhook.id', 'delivery.webhook_id')
      .where('webhook.space_id', '=', spaceId)
      .where('webhook.id', '=', webhookId)
      .where('delivery.id', '=', id)
      .select('delivery.body as body')
      .executeTakeFirst()
  )?.body

/** Adds a delivery. Deletes the oldest finished deliveries of its webhook, so that at most `kept` remain. */
export const insertDelivery = async (
  db: Sql,
  delivery: Insertable<Tables['webhook_deliveries']>,
  kept: number,
): Promise<void> => {
  await db.insertInto('webhook_deliveries').values(delivery).execute()
  await sql`
    delete from webhook_deliveries where webhook_id = ${delivery.webhook_id} and due_at is null and position <= (
      select position from webhook_deliveries where webhook_id = ${delivery.webhook_id}
      order by position desc offset ${kept} limit 1)
      and (delivered_at is not null or kind = 'test')`.execute(db)
}

/** Deletes finished deliveries from before a time, oldest first. @returns how many were deleted, at most `limit` */
export const deleteOldDeliveries = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries
      where created_at < ${before} and due_at is null and (delivered_at is not null or kind = 'test')
      order by created_at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Makes a delivery due. The transaction has locked the webhook.
 *
 * @returns false if the webhook has no such delivery
 */
export const requestDelivery = async (
  db: Sql,
  webhookId: string,
  id: string,
  now: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ due_at: now })
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Sets when the delivery of changes that has not been accepted yet is sent. The transaction has locked the webhook.
 *
 * @param dueAt null if it is not to be sent for now
 */
export const moveNextDelivery = (db: Sql, webhookId: string, dueAt: Date | null) =>
  db
    .updateTable('webhook_deliveries')
    .set({ due_at: dueAt })
    .where('webhook_id', '=', webhookId)
    .where('kind', '=', 'changes')
    .where('delivered_at', 'is', null)
    .execute()

// What follows is for the processes that deliver.

/** A place in the order of deliveries, and the space whose revision may be beyond it. */
export interface IdleWebhook {
  id: string
  space_id: string
  revision: string
}

/** Webhooks that get changes and wait for the next one, in the order of their ids. */
export const listIdleWebhooks = compileOnceRows((db, after: string, limit: number) => ({
  compile: () =>
    sql<IdleWebhook>`
      select id, space_id, revision from webhooks
      where id > ${after} and state = 'active' and due_at is null order by id limit ${limit}::int`.compile(
      db,
    ),
}))

/** Makes webhooks due that wait for a change. */
export const wakeWebhooks = (db: Sql, ids: readonly string[], now: Date) =>
  sql`
    update webhooks set due_at = ${now}::timestamptz
    where id = any(${ids}::text[]) and state = 'active' and due_at is null`.execute(db)

/** A webhook that this process has taken. */
export type TakenWebhook = Pick<
  Webhook,
  | 'id'
  | 'space_id'
  | 'url'
  | 'events'
  | 'secret'
  | 'previous_secret'
  | 'previous_until'
  | 'state'
  | 'revision'
  | 'after_kind'
  | 'after_thing'
  | 'missed'
> & { subdomain: string }

/**
 * Takes webhooks that are due, so that no other process sends to them before `until`. Takes turns between accounts, so
 * that nobody who has many webhooks, or slow ones, delays those of others.
 *
 * @param limits `total`: the maximum number of webhooks to take; `ofAccount`: the maximum number of webhooks of one
 * account that all processes together have taken
 */
export const takeDueWebhooks = async (
  db: Sql,
  now: Date,
  until: Date,
  { total, ofAccount }: { total: number; ofAccount: number },
): Promise<TakenWebhook[]> => {
  const { rows } = await sql<TakenWebhook>`
    with waiting as materialized (
      select webhook.id, webhook.due_at, coalesce(webhook.leased_until > ${now}::timestamptz, false) as is_taken,
        row_number() over (
          partition by participant.account_id
          order by coalesce(webhook.leased_until > ${now}::timestamptz, false) desc, webhook.due_at
        ) as turn
      from webhooks as webhook join participants as participant on participant.id = webhook.owner_id
      where webhook.due_at <= ${now}::timestamptz and ${isActive('participant.account_id')}
    ), due as materialized (
      select webhook.id from webhooks as webhook join waiting using (id)
      where not waiting.is_taken and waiting.turn <= ${ofAccount} and webhook.due_at <= ${now}::timestamptz
        and coalesce(webhook.leased_until <= ${now}::timestamptz, true)
      order by waiting.turn, waiting.due_at limit ${total} for update of webhook skip locked
    )
    update webhooks as webhook set leased_until = ${until}::timestamptz
    from due, space_names as space
    where webhook.id = due.id and space.id = webhook.space_id
    returning webhook.id, webhook.space_id, webhook.url, webhook.events, webhook.secret, webhook.previous_secret,
      webhook.previous_until, webhook.state, webhook.revision, webhook.after_kind, webhook.after_thing, webhook.missed,
      space.subdomain`.execute(db)
  return rows
}

/** A message to send. */
export type Message = Pick<Selectable<Tables['webhook_deliveries']>, 'id' | 'kind' | 'body' | 'attempts'> & {
  due_at: Date
  /** Whether the address has accepted it before, so that it is sent again only once. */
  is_repeated: boolean
}

/** What is to be sent to a webhook next: first what people requested, then the changes. */
export const findNextMessage = async (db: Sql, webhookId: string): Promise<Message | undefined> =>
  (await nextMessage(db, webhookId))[0]

const nextMessage = compileOnceRows((db, webhookId: string) => ({
  compile: () =>
    sql<Message>`
      select id, kind, body, attempts, due_at, delivered_at is not null as is_repeated from webhook_deliveries
      where webhook_id = ${webhookId} and due_at is not null
      order by (kind = 'changes' and delivered_at is null), position limit 1`.compile(db),
}))

/**
 * Locks a webhook that this process has taken.
 *
 * @returns undefined if it was deleted, or if another process has taken it because the lease had ended
 */
export const lockTaken = (db: Sql, id: string, lease: Date) =>
  db
    .selectFrom('webhooks')
    .where('id', '=', id)
    .where('leased_until', '=', lease)
    .select(['state', 'failing_since'])
    .forUpdate()
    .executeTakeFirst()

/** A place in the history up to which changes were recorded as deliveries. */
export type RecordedPlace = Pick<Webhook, 'revision' | 'after_kind' | 'after_thing'>

/**
 * Moves a webhook's place in the history. The transaction has locked the webhook.
 *
 * @param missed what the webhook had missed when the changes were read; what it has missed since remains
 */
export const moveWebhook = (db: Sql, id: string, place: RecordedPlace, missed: string | null) =>
  db
    .updateTable('webhooks')
    .set({ ...place, missed: sql`nullif(missed, ${missed}::bigint)` })
    .where('id', '=', id)
    .execute()

/** Saves the result of an attempt. */
export const saveAttempt = (
  db: Sql,
  id: string,
  {
    isAccepted,
    ...attempt
  }: {
    due_at: Date | null
    attempted_at: Date
    duration: number
    status: number | null
    error: string | null
    isAccepted: boolean
  },
) =>
  db
    .updateTable('webhook_deliveries')
    .set({
      ...attempt,
      attempts: sql`attempts + 1`,
      ...(isAccepted ? { delivered_at: sql`coalesce(delivered_at, ${attempt.attempted_at})` } : {}),
    })
    .where('id', '=', id)
    .execute()

/**
 * Gives a taken webhook back. It is due when its next delivery is. The transaction has locked the webhook.
 *
 * @param now set if it is due now
 */
export const giveBackWebhook = (db: Sql, id: string, now: Date | null) =>
  sql`
    update webhooks set leased_until = null, due_at = coalesce(${now}::timestamptz, (
      select min(due_at) from webhook_deliveries where webhook_id = ${id}))
    where id = ${id}`.execute(db)

/**
 * Notes that changes were deleted from the history, for the webhooks of the space that had not recorded them yet. Call in
 * the transaction that deletes them.
 */
export const noteMissedChanges = async (
  db: Sql,
  spaceId: string,
  revisions: readonly string[],
): Promise<void> => {
  if (revisions.length === 0) return
  const newest = revisions.reduce((a, b) => (BigInt(a) > BigInt(b) ? a : b))
  await sql`
    update webhooks set missed = greatest(missed, ${newest}::bigint)
    where space_id = ${spaceId} and revision < ${newest}::bigint`.execute(db)
}

/** Tells the owners of a space that a webhook was switched off; see `Notification` in `entities/social.ts`. */
export const notifyWebhookOff = (db: Sql, spaceId: string, host: string, now: Date) =>
  sql`
    insert into notifications (account_id, kind, at, webhook, space_id)
    select account_id, 'taken_down', ${now}::timestamptz, ${host}, space_id
    from participants where space_id = ${spaceId} and role = 'owner'`.execute(db)
