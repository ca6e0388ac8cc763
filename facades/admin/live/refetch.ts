import type { Query, QueryKey } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { queryClient } from '../api.ts'
import type { Change } from '../history/describe.ts'

/** Pause in ms after a refetch, so that many changes cause few. */
const PAUSE = 700

/** Pause in ms between two refetches of what the service has to evaluate pages for. */
const LONG_PAUSE = 4_000

/** After this time in ms, a refetch that has not ended no longer delays those for later changes. */
const PATIENCE = 30_000

/** The routers whose queries depend on a kind of item. All kinds of items are in the routers of `ALWAYS`. */
const ROUTERS: Readonly<Record<Change['kind'], readonly string[]>> = {
  page: ['pages', 'parts', 'schedules'],
  part: ['parts'],
  record: ['data', 'records'],
  file: ['files'],
  space: ['space', 'spaces'],
}
const ALWAYS = new Set(['spaces', 'history', 'editing'])

/** The router whose queries make the service evaluate pages. */
const SLOW = 'delivery'

/** What to refetch for a space. */
interface Due {
  /** Everything, because it is not known what has changed. */
  isAll: boolean
  kinds: Set<Change['kind']>
  things: Set<string>
  /** What the listeners hear. */
  news: Changed[] | 'all'
}

type Changed = Pick<Change, 'kind' | 'thing'>
type Listener = (subdomain: string, changes: readonly Changed[] | 'all') => void

const due = new Map<string, Due>()
const listeners = new Set<Listener>()
let isRunning = false
let slowAt = 0
let slowTimer: ReturnType<typeof setTimeout> | undefined

/** The fields of a query's input: the second element of its key, or `input` in it. */
const inputOf = ([, second]: QueryKey): Readonly<Record<string, unknown>> => {
  const options = (second ?? {}) as { input?: Record<string, unknown> }
  return options.input ?? options
}

const pathOf = ([path]: QueryKey): readonly string[] => (Array.isArray(path) ? (path as string[]) : [])

/** A plan that someone is about to confirm must not become another one. If it is outdated, the service refuses it. */
const isPlan = (path: readonly string[]): boolean => path[1] === 'previewUndo'

/** The item that a query reads; undefined if it reads no single item. */
const itemOf = ({ page_id, part_id, file_id, key }: Readonly<Record<string, unknown>>) =>
  page_id ?? part_id ?? file_id ?? key

const isAffected = ({ queryKey }: Query, subdomain: string, { isAll, kinds, things }: Due): boolean => {
  const input = inputOf(queryKey)
  const path = pathOf(queryKey)
  const [router] = path
  if (router === undefined || router === SLOW || isPlan(path) || input.subdomain !== subdomain) return false
  if (isAll) return router !== 'live'
  const item = itemOf(input)
  if (item !== undefined && !things.has(item as string)) return false
  return ALWAYS.has(router) || Array.from(kinds).some(kind => ROUTERS[kind].includes(router))
}

const pause = (duration: number) => new Promise<void>(done => setTimeout(done, duration))

const refetchSlow = () => {
  const rest = slowAt + LONG_PAUSE - Date.now()
  if (slowTimer) return
  slowTimer = setTimeout(
    () => {
      slowTimer = undefined
      slowAt = Date.now()
      void queryClient.invalidateQueries({ queryKey: [[SLOW]] })
    },
    Math.max(PAUSE, rest),
  )
}

/** Refetches until nothing is due, unless the window is hidden: then it goes on when the window is shown. */
const run = async () => {
  if (isRunning) return
  isRunning = true
  while (due.size > 0 && document.visibilityState === 'visible') {
    const now = new Map(due)
    due.clear()
    refetchSlow()
    for (const [subdomain, { news }] of now)
      if (news.length > 0) for (const listener of listeners) listener(subdomain, news)
    const refetched = queryClient.invalidateQueries({
      predicate: query => Array.from(now).some(([subdomain, what]) => isAffected(query, subdomain, what)),
    })
    await Promise.race([refetched, pause(PATIENCE)])
    await pause(PAUSE)
  }
  isRunning = false
}

document.addEventListener('visibilitychange', () => void run())

/**
 * Refetches what changes of a space have made stale, unless no view shows it. A burst of changes causes one refetch, and
 * another one after it if more has changed meanwhile.
 *
 * @param changes `all` if it is not known what has changed
 * @param news the changes that the listeners of `useOnChange` hear
 */
export const refetchChanged = (
  subdomain: string,
  changes: readonly Changed[] | 'all',
  news: readonly Changed[] | 'all' = changes,
): void => {
  const waiting = due.get(subdomain) ?? { isAll: false, kinds: new Set(), things: new Set(), news: [] }
  due.set(subdomain, waiting)
  waiting.news = waiting.news === 'all' || news === 'all' ? 'all' : [...waiting.news, ...news]
  if (changes === 'all') waiting.isAll = true
  else
    for (const { kind, thing } of changes) {
      waiting.kinds.add(kind)
      waiting.things.add(thing)
    }
  void run()
}

/**
 * Calls a function whenever others change something in a space, as often as the views are refetched. Not for what the
 * person changes: the view that does it shows it already.
 *
 * @param thing an item whose changes are left out; null for none
 */
export const useOnChange = (subdomain: string, thing: string | null, listener: () => void): void => {
  const heard = useEffectEvent<Listener>((changed, changes) => {
    if (changed !== subdomain) return
    if (changes === 'all' || changes.some(change => change.thing !== thing)) listener()
  })
  useEffect(() => {
    const own: Listener = (...args) => heard(...args)
    listeners.add(own)
    return () => void listeners.delete(own)
  }, [])
}
