import type { Database, Sql } from '../../../db/database.ts'
import { insertAuditEvents } from '../../../db/queries/audit.ts'
import { findRevision } from '../../../db/queries/delivery.ts'
import { listRevisions } from '../../../db/queries/told-changes.ts'
import {
  findNextMessage,
  giveBackWebhook,
  listIdleWebhooks,
  lockTaken,
  type Message,
  moveNextDelivery,
  notifyWebhookOff,
  saveAttempt,
  type TakenWebhook,
  takeDueWebhooks,
  updateWebhook,
  wakeWebhooks,
} from '../../../db/queries/webhooks.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { limits } from '../../api/rules.ts'
import { recordChanges } from './record-changes.ts'
import { signedHeaders } from './signature.ts'

/** Maximum number of webhooks that a process sends to at once, and of those of one account in all processes. */
const RUNNING = { total: 50, ofAccount: 5 }

/** How long a process may take to send in ms, and how long no other process takes the webhook then. */
const TIMEOUT = limits.webhookSeconds * 1000
const LEASE = 2 * TIMEOUT

/** Number of webhooks that one statement reads. */
const STEP = 1_000

const DAY = 24 * 60 * 60_000

/** Nothing but a new address helps a receiver that answers with this status. */
const GONE = 410

type DeliveringCore = Pick<Core, 'sendWebhook'> & { database: Database }

/** The result of an attempt to send a message. */
interface Attempt {
  at: Date
  duration: number
  /** Null if there was no answer. */
  status: number | null
  error: string | null
}

const isAccepted = ({ status }: Attempt) => status !== null && status >= 200 && status < 300

/** Sends to webhooks what is due. Any number of processes can do so: each takes a webhook before it sends to it. */
export interface WebhookDispatcher {
  /** Looks for webhooks whose spaces have changed since their last delivery. */
  wake: () => Promise<void>
  /** Begins to send what is due, and goes on until nothing is. */
  send: () => Promise<void>
  /** Waits until everything that has begun has ended. */
  settled: () => Promise<void>
  /** Interrupts what has begun, which counts as not sent. */
  stop: () => Promise<void>
}

/**
 * Creates a dispatcher.
 *
 * @param onError called if the database fails; another attempt follows when the lease has ended
 * @param clock the current time; a parameter so that tests can move it
 */
export const webhookDispatcher = (
  core: DeliveringCore,
  onError: (error: unknown) => void,
  clock: () => Date = () => new Date(),
): WebhookDispatcher => {
  const { database } = core
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let taking = Promise.resolve()
  let isTakingNext = false

  const take = async () => {
    isTakingNext = false
    while (running.size < RUNNING.total && !closing.signal.aborted) {
      const now = clock()
      const lease = new Date(now.getTime() + LEASE)
      const room = { ...RUNNING, total: RUNNING.total - running.size }
      const taken = await inTransaction(database, sql => takeDueWebhooks(sql, now, lease, room))
      if (taken.length === 0) return
      for (const webhook of taken) begin(webhook, lease)
    }
  }

  const begin = (webhook: TakenWebhook, lease: Date) => {
    const work = sendNext(core, webhook, lease, clock, closing.signal)
      .then(() => void send(), onError)
      .finally(() => running.delete(work))
    running.add(work)
  }

  const send = () => {
    if (!isTakingNext) {
      isTakingNext = true
      taking = taking.then(take).catch(onError)
    }
    return taking
  }

  const settled = async () => {
    // What ends asks for more.
    for (let seen: Promise<void> | undefined; seen !== taking; ) {
      seen = taking
      await seen
      await Promise.all(running)
    }
  }

  return {
    wake: () => wakeChanged(database, clock()),
    send,
    settled,
    stop: () => {
      closing.abort()
      return settled()
    },
  }
}

/** Makes the webhooks due whose spaces have changed. */
const wakeChanged = async (database: Database, now: Date): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const idle = await listIdleWebhooks(database, after, STEP)
    const spaces = [...new Set(idle.map(webhook => webhook.space_id))]
    const revisions = new Map<string, string>()
    if (spaces.length > 0)
      for (const { id, revision } of await listRevisions(database, spaces)) revisions.set(id, revision)
    const behind = idle.filter(
      ({ space_id, revision }) => BigInt(revisions.get(space_id) ?? 0) > BigInt(revision),
    )
    const ids = behind.map(({ id }) => id)
    if (ids.length > 0) await inTransaction(database, sql => wakeWebhooks(sql, ids, now))
    after = idle.length === STEP ? idle.at(-1)!.id : undefined
  }
}

/** Sends the next message to a webhook that this process has taken, if there is one, and gives the webhook back. */
const sendNext = async (
  core: DeliveringCore,
  webhook: TakenWebhook,
  lease: Date,
  clock: () => Date,
  signal: AbortSignal,
): Promise<void> => {
  const { database } = core
  const message = await findNextMessage(database, webhook.id)
  if (!message || message.due_at > clock()) {
    const hasMore =
      !message && webhook.state === 'active' && (await recordChanges(database, webhook, lease, clock()))
    return giveBack(database, webhook, lease, hasMore ? clock() : null)
  }
  const now = clock()
  // After a pause of this process, another one can have taken the webhook before this one would get an answer.
  if (now.getTime() + TIMEOUT > lease.getTime()) return
  const attempt = await attemptToSend(core, webhook, message, now, signal)
  if (attempt === null) return giveBack(database, webhook, lease, now)
  // Changes from this moment on are delivered. A webhook is never active without having answered.
  const first =
    webhook.state === 'untested' && isAccepted(attempt) && (await findRevision(database, webhook.space_id))
  await inTransaction(database, async sql => {
    const current = await lockTaken(sql, webhook.id, lease)
    if (!current) return
    const hasMore = await saveResult(sql, webhook, { ...current, first: first || null }, message, attempt)
    await giveBackWebhook(sql, webhook.id, hasMore ? clock() : null)
  })
}

const giveBack = (database: Database, { id }: TakenWebhook, lease: Date, dueAt: Date | null): Promise<void> =>
  inTransaction(database, async sql => {
    if (await lockTaken(sql, id, lease)) await giveBackWebhook(sql, id, dueAt)
  })

/** Sends a message. Returns null if the process is stopping and there was no answer yet. */
const attemptToSend = async (
  core: DeliveringCore,
  webhook: TakenWebhook,
  { id, body }: Message,
  at: Date,
  signal: AbortSignal,
): Promise<Attempt | null> => {
  const { url, secret, previous_secret: previous, previous_until: until } = webhook
  const secrets = previous !== null && until! > at ? [secret, previous] : [secret]
  const started = performance.now()
  const answer = await core
    .sendWebhook(new URL(url), signedHeaders(secrets, id, body, at), body, signal)
    .then(
      status => ({ status, error: null }),
      (error: unknown) => ({ status: null, error: error instanceof Error ? error.message : String(error) }),
    )
  if (answer.status === null && signal.aborted) return null
  return { ...answer, at, duration: Math.round(performance.now() - started) }
}

/**
 * Saves the result of an attempt, and what follows from it. The transaction has locked the webhook.
 *
 * @param current the webhook's state; `first`: the revision from which on changes are delivered if the webhook becomes active
 * @returns whether there can be more to send at once
 */
const saveResult = async (
  sql: Sql,
  { id, url, space_id: spaceId }: TakenWebhook,
  current: { state: TakenWebhook['state']; failing_since: Date | null; first: string | null },
  message: Message,
  attempt: Attempt,
): Promise<boolean> => {
  const { at, duration, status, error } = attempt
  const isOrdered = message.kind === 'changes' && !message.is_repeated
  const isActive = current.state === 'active'
  const wasAccepted = isAccepted(attempt)
  const failingSince = isOrdered && isActive && !wasAccepted ? (current.failing_since ?? at) : null
  const isTooLong =
    failingSince !== null && at.getTime() - failingSince.getTime() >= limits.webhookRetries.days * DAY
  const offReason = isActive && (status === GONE ? 'gone' : isTooLong ? 'failing' : null)
  const retryAt = isOrdered && isActive && !wasAccepted && !offReason ? retryTime(message.attempts, at) : null
  await saveAttempt(sql, message.id, {
    attempted_at: at,
    duration,
    status,
    error,
    due_at: retryAt,
    isAccepted: wasAccepted,
  })
  if (offReason) {
    await moveNextDelivery(sql, id, null)
    await updateWebhook(sql, id, {
      state: 'off',
      off_reason: offReason,
      off_at: at,
      failing_since: failingSince ?? current.failing_since,
    })
    const host = new URL(url).host
    await insertAuditEvents(sql, [
      {
        owner: { spaceId },
        kind: 'webhook_switched_off',
        actor: null,
        actorLabel: null,
        details: { label: host, reason: offReason },
      },
    ])
    await notifyWebhookOff(sql, spaceId, host, at)
    return false
  }
  if (failingSince) await updateWebhook(sql, id, { failing_since: failingSince })
  if (!wasAccepted) return false
  if (isActive && isOrdered) await updateWebhook(sql, id, { failing_since: null })
  // The receiver answers again, so it need not wait for the next retry.
  if (isActive && !isOrdered) await moveNextDelivery(sql, id, at)
  if (current.first !== null) await updateWebhook(sql, id, { state: 'active', revision: current.first })
  return isActive
}

/** When to send again what an address did not accept: later after each attempt, and never exactly when others are sent. */
const retryTime = (attempts: number, at: Date): Date => {
  const { firstPause, factor, longestPause } = limits.webhookRetries
  const pause = Math.min(firstPause * factor ** attempts, longestPause)
  return new Date(at.getTime() + pause * 1000 * (0.8 + 0.4 * Math.random()))
}
