import { setTimeout as sleep } from 'node:timers/promises'
import { findVersion } from '../../db/queries/delivery.ts'
import {
  listPagesContaining,
  listPagesIncludingTransitively,
  listPartsContaining,
} from '../../db/queries/find.ts'
import { listPages } from '../../db/queries/pages.ts'
import type { SpaceRef } from '../api/actor.ts'
import type { Core } from '../api/context.ts'
import type { TemplateError } from '../api/renderer.ts'
import { evaluateHead } from './evaluate-page.ts'

/** Time after which no further page is evaluated, in ms. */
const PATIENCE_MS = 10_000

/** Time after which a caller gets the results so far, in ms. The check continues, so a later call returns more. */
const ANSWER_AFTER_MS = 1_500

/** A check stops early if at least this many evaluations are waiting. */
const BUSY = 8

/** The results of evaluating the pages of a space. */
export interface CheckedPages {
  /** The pages that show visitors a template error. */
  failing: { id: string; slug: string; error: TemplateError }[]
  /** The pages whose document has a title. */
  titled: { id: string; slug: string; title: string }[]
  /** Whether every page was evaluated. */
  isComplete: boolean
}

type SpaceVersion = Awaited<ReturnType<typeof findVersion>>

/** A check in progress, with its results so far. */
interface Check {
  version: SpaceVersion
  checked: CheckedPages
  done: Promise<void>
}

/**
 * A page, part or record that was saved. Only the page itself, the pages that include the part, or those in which the key
 * of the record is written, also in their parts, are evaluated.
 */
export type Saved = { page_id: string } | { part_names: string[] } | { record_key: string }

/** The latest check in progress of each space and saved item. Concurrent calls for the same revision share it. */
const running = new Map<string, Check>()

/**
 * Evaluates the pages of a space one after another, as visitors see them. Pages that have not changed since a visit or
 * an earlier check come from the renderer's cache. Returns an incomplete result if the renderer is busy, or if there
 * are too many pages to evaluate in time.
 */
export const checkPages = async (
  core: Core,
  accountId: string,
  space: SpaceRef,
  saved?: Saved,
): Promise<CheckedPages> => {
  const version = await findVersion(core.database, space.id)
  const latest = running.get(keyOf(space, saved))
  const check =
    latest && latest.version?.revision === version?.revision
      ? latest
      : start(core, accountId, space, version, saved)
  await Promise.race([check.done, sleep(ANSWER_AFTER_MS, undefined, { ref: false })])
  const { failing, titled, isComplete } = check.checked
  return { failing: [...failing], titled: [...titled], isComplete }
}

const keyOf = (space: SpaceRef, saved: Saved | undefined) => JSON.stringify([space.id, saved])

/** Starts a check. Stops an earlier check of the same pages. */
const start = (
  core: Core,
  accountId: string,
  space: SpaceRef,
  version: SpaceVersion,
  saved: Saved | undefined,
): Check => {
  const checked: CheckedPages = { failing: [], titled: [], isComplete: false }
  const check: Check = { version, checked, done: Promise.resolve() }
  const key = keyOf(space, saved)
  running.set(key, check)
  const isLatest = () => running.get(key) === check
  const pages = pagesToCheck(core, space, saved)
  check.done = evaluatePages(core, accountId, space, pages, check, isLatest).finally(() => {
    if (isLatest()) running.delete(key)
  })
  // Without a handler, a failure after the last caller has left would end the process.
  check.done.catch(() => {})
  return check
}

const pagesToCheck = async (core: Core, space: SpaceRef, saved: Saved | undefined) => {
  const { database } = core
  if (saved && 'part_names' in saved)
    return listPagesIncludingTransitively(database, space.id, saved.part_names)
  const pages = await listPages(database, space.id)
  if (!saved) return pages
  const ids = 'page_id' in saved ? new Set([saved.page_id]) : await pagesNaming(core, space, saved.record_key)
  return pages.filter(({ id }) => ids.has(id))
}

/** The ids of the pages that contain a text in their body or in a part. */
const pagesNaming = async (core: Core, { id: spaceId }: SpaceRef, text: string): Promise<Set<string>> => {
  const { database, creationLimits } = core
  const [pages, parts] = await Promise.all([
    listPagesContaining(database, spaceId, text, creationLimits.pages),
    listPartsContaining(database, spaceId, text, creationLimits.parts),
  ])
  const names = parts.map(({ name }) => name)
  const including = await listPagesIncludingTransitively(database, spaceId, names)
  return new Set([...pages, ...including].map(({ id }) => id))
}

/** Evaluates the pages and adds the results to `checked`. Stops early once `isLatest` returns false. */
const evaluatePages = async (
  core: Core,
  account: string,
  space: SpaceRef,
  pages: ReturnType<typeof pagesToCheck>,
  { version, checked }: Check,
  isLatest: () => boolean,
): Promise<void> => {
  const end = performance.now() + PATIENCE_MS
  for (const { id, slug, kind } of await pages) {
    if (!version || !isLatest()) return
    if (performance.now() > end || core.renderer.load.waiting >= BUSY) return
    const row = {
      space_id: space.id,
      account,
      subdomain: space.subdomain,
      ...version,
      page_id: id,
      slug,
      kind,
    }
    const outcome = await evaluateHead(core, row)
    if (outcome && !outcome.ok) checked.failing.push({ id, slug, error: outcome.error })
    else if (outcome?.ok && outcome.head.title !== null)
      checked.titled.push({ id, slug, title: outcome.head.title })
  }
  checked.isComplete = true
}
