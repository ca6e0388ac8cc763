import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'
import { api, queryClient, url } from '../api.ts'
import { sessionOptions } from '../session.ts'
import { failureOf } from '../ui/failure.ts'
import { changesOf, isMine, noteChanges } from './changes.ts'
import { refetchChanged } from './refetch.ts'

const rpc = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: url.href })] })

type Followed = Parameters<typeof rpc.live.follow.subscribe>[1]
type Message = Parameters<NonNullable<Followed['onData']>>[0]
type LiveEvent = Message['data']

/** What the windows of this browser tell each other. */
type Note =
  | { kind: 'event'; id: string; event: LiveEvent; isFollowed: boolean }
  /** The spaces that windows show have changed. */
  | { kind: 'spaces' }
  /** A window has just opened a space: what was changed while it opened? */
  | { kind: 'opened' }
  /** The session may have ended. */
  | { kind: 'ended' }

/** The lock of the window that has the connection, and the begin of the names of those of spaces that windows show. */
const LEADER = 'live'
const SPACE = 'live space '

/** Maximum number of spaces that a stream follows. The others are refetched when their windows are shown. */
const MAX_SPACES = 10

/** Pause in ms before the first attempt to connect again; doubled with each attempt, up to the second number. */
const FIRST_PAUSE = 1_000
const MAX_PAUSE = 30_000

/** Interval in ms at which the views refetch without a connection. */
const POLL_EVERY = 30_000

/** Interval in ms for noticing windows that have crashed. */
const LOOK_EVERY = 30_000

/** How long after the last event about people they are read again, in ms. Who reloads a page leaves and comes back. */
const PEOPLE_PAUSE = 1_000

/** A window that has just opened a space hears of the changes of this many ms. */
const RECENT = 30_000

/** The revision up to which this browser knows each space. */
const cursors = new Map<string, string>()
/** The spaces of which this window has heard an event. */
const followed = new Set<string>()
/** When this window began to show each space. */
const shownSince = new Map<string, number>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('live')
/** Called when the windows show other spaces, or the connection must begin anew. */
let onSpaces = () => {}
let peopleTimer: ReturnType<typeof setTimeout> | undefined

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin
const send = (note: Note) => channel?.postMessage(note)

const readPeople = () => {
  clearTimeout(peopleTimer)
  peopleTimer = setTimeout(
    () => void queryClient.invalidateQueries(api.live.people.pathFilter()),
    PEOPLE_PAUSE,
  )
}

const checkSession = () => void queryClient.invalidateQueries(sessionOptions)

/** @param isFollowed whether the browser already followed the space; if not, some changes are older than the views */
const hear = (id: string, event: LiveEvent, isFollowed: boolean) => {
  for (const cursor of id.split(' ')) {
    const [subdomain, revision] = cursor.split('=')
    if (subdomain && revision) cursors.set(subdomain, revision)
  }
  const { subdomain } = event
  if (event.kind === 'people') return readPeople()
  if (event.kind === 'gone') return refetchChanged(subdomain, 'all')
  const since = shownSince.get(subdomain) ?? Number.POSITIVE_INFINITY
  const added = noteChanges(
    subdomain,
    event.changes,
    // What a view shows may be older than a change that was made while it opened.
    ({ at }) => isFollowed || Date.parse(at) > since,
  )
  const news = added.filter(change => change.heardAt !== null && !isMine(change))
  followed.add(subdomain)
  if (!event.is_complete) refetchChanged(subdomain, 'all', isFollowed ? 'all' : news)
  else if (added.length > 0) refetchChanged(subdomain, added, news)
}

/** Tells windows that have just been opened what they may have missed. */
const repeatRecent = () => {
  const since = Date.now() - RECENT
  for (const subdomain of followed) {
    const changes = changesOf(subdomain).filter(({ at }) => Date.parse(at) > since)
    if (changes.length > 0)
      send({
        kind: 'event',
        id: '',
        event: { kind: 'changes', subdomain, changes: [...changes], is_complete: true },
        isFollowed: false,
      })
  }
}

let isLeader = false

channel?.addEventListener('message', ({ data }: MessageEvent<Note>) => {
  if (data.kind === 'event') hear(data.id, data.event, data.isFollowed)
  if (data.kind === 'spaces') onSpaces()
  if (data.kind === 'opened' && isLeader) repeatRecent()
  if (data.kind === 'ended') checkSession()
})

const aborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The spaces that the windows of this browser show. Each window has a lock for its space, which ends with the window. */
const shownSpaces = async (): Promise<string[]> => {
  const { held = [] } = await navigator.locks.query()
  const names = held.flatMap(({ name }) => (name?.startsWith(SPACE) ? [name.slice(SPACE.length)] : []))
  return [...new Set(names)].toSorted().slice(0, MAX_SPACES)
}

/** Follows spaces until the signal aborts or the stream ends. @returns why it failed; null if it did not */
const stream = (subdomains: string[], signal: AbortSignal, onStarted: () => void): Promise<unknown> =>
  new Promise(resolve => {
    const lastEventId = subdomains
      .filter(name => cursors.has(name))
      .map(name => `${name}=${cursors.get(name)}`)
      .join(' ')
    const subscription = rpc.live.follow.subscribe(
      { subdomains, ...(lastEventId === '' ? {} : { lastEventId }) },
      {
        onStarted,
        onData: ({ id, data }) => {
          const isFollowed = followed.has(data.subdomain)
          hear(id, data, isFollowed)
          send({ kind: 'event', id, event: data, isFollowed })
        },
        onError: resolve,
        onComplete: () => resolve(null),
      },
    )
    const leave = () => {
      subscription.unsubscribe()
      resolve(null)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })

/** Keeps the connection of this browser open until the window leaves. */
const lead = async (left: AbortSignal): Promise<void> => {
  let failures = 0
  let polledAt = Date.now()
  while (!left.aborted) {
    const round = new AbortController()
    const end = () => round.abort()
    const asked = shownSpaces()
    const look = async () => {
      const shown = await shownSpaces()
      if (shown.join() !== (await asked).join()) end()
    }
    // Before the answer, so that a space that is opened now is not missed.
    onSpaces = () => void look()
    const spaces = await asked
    left.addEventListener('abort', end)
    window.addEventListener('online', end)
    const timer = setInterval(onSpaces, LOOK_EVERY)
    const onStarted = () => {
      failures = 0
    }
    const failure =
      spaces.length === 0 ? await aborted(round.signal) : await stream(spaces, round.signal, onStarted)
    if (!round.signal.aborted) {
      // The service has restarted, the session or a participation has ended, or the account was suspended.
      checkSession()
      send({ kind: 'ended' })
      const { code, retryAfter } = failure ? failureOf(failure) : {}
      if (code === 'space_not_found') for (const subdomain of spaces) refetchChanged(subdomain, 'all')
      if (Date.now() - polledAt > POLL_EVERY) {
        polledAt = Date.now()
        for (const subdomain of spaces) refetchChanged(subdomain, 'all')
      }
      const pause = Math.max(
        (retryAfter ?? 0) * 1000,
        Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** failures++) * (0.5 + Math.random() / 2),
      )
      const rest = setTimeout(end, pause)
      await aborted(round.signal)
      clearTimeout(rest)
    }
    clearInterval(timer)
    left.removeEventListener('abort', end)
    window.removeEventListener('online', end)
  }
}

/** Without locks, which need https or localhost, the views of a shown window refetch now and then. */
const poll = (subdomain: string) => {
  const timer = setInterval(() => refetchChanged(subdomain, 'all'), POLL_EVERY)
  return () => clearInterval(timer)
}

/**
 * Follows a space while this window shows it. The windows of a browser share one connection: one of them has it, and
 * tells the others what happens.
 *
 * @returns ends this
 */
export const followSpace = (subdomain: string): (() => void) => {
  shownSince.set(subdomain, Date.now())
  const locks = navigator.locks as LockManager | undefined
  if (!locks || !channel) return poll(subdomain)
  const left = new AbortController()
  const { signal } = left
  const ignoreAbort = (error: unknown) => {
    if (!signal.aborted) throw error
  }
  const tellOthers = () => {
    send({ kind: 'spaces' })
    onSpaces()
  }
  void locks
    .request(SPACE + subdomain, { mode: 'shared', signal }, async () => {
      tellOthers()
      await aborted(signal)
    })
    .then(tellOthers)
    .catch(ignoreAbort)
  void locks
    .request(LEADER, { signal }, async () => {
      isLeader = true
      await lead(signal)
      isLeader = false
      onSpaces = () => {}
    })
    .catch(ignoreAbort)
  send({ kind: 'opened' })
  return () => left.abort()
}
