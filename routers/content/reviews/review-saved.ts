import { findData } from '../../../db/queries/data.ts'
import { listFilesNamed } from '../../../db/queries/files.ts'
import { listPagesIncludingTransitively } from '../../../db/queries/find.ts'
import { listWrittenItems, type WrittenItem } from '../../../db/queries/history.ts'
import { findPage } from '../../../db/queries/pages.ts'
import type { SpaceKeyActor } from '../../api/actor.ts'
import type { Core } from '../../api/context.ts'
import type { SpaceUser } from '../../api/in-space.ts'
import { type PageReview, RendererBusyError, type RenderOutcome } from '../../api/renderer.ts'
import { isJsonText } from '../data/json.ts'
import { readableKinds } from '../history/kinds.ts'
import { type DraftPart, evaluateForAuthor } from '../previews/evaluate-for-author.ts'
import {
  collect,
  type Findings,
  hintsIn,
  isAmong,
  newFindings,
  type SavedReview,
  summary,
} from './findings.ts'
import { remainingUses } from './remaining-uses.ts'
import { type SavedItem, savedItems } from './saved-items.ts'

/** Maximum number of pages that are evaluated because they use a saved part or record. */
const MAX_PAGES = 10

/** How long a call whose purpose is a check waits for it, in ms. After that time, no further page is evaluated. */
export const CHECK_PATIENCE_MS = 15_000

/** Maximum number of items of a write that are reviewed. An undo can change many more. */
const MAX_ITEMS = 500

/** A review stops early if at least this many evaluations are waiting. */
export const BUSY = 8

/** What a write has saved and deleted, and the problems with that. */
export interface WriteReview extends SavedReview {
  saved: readonly SavedItem[]
  /** Whether the write changed nothing, because everything already was as the caller sent it. */
  isUnchanged: boolean
}

/**
 * Evaluates the pages that a write of a key has saved and the pages that use its parts and records, and finds items that
 * still refer to those that it has deleted. Returns the problems found in time; stops early if the renderer is busy.
 *
 * @param revision the revision of the write
 * @throws errors of the database
 */
export const reviewWrite = async (core: Core, key: SpaceKeyActor, revision: string): Promise<WriteReview> => {
  const { space } = key
  const sql = core.database
  const author = { core, ...key, readable: readableKinds(key) }
  let changes: WrittenItem[] | undefined
  let saved: SavedItem[] = []
  const review = await inTime(core, core.reviewPatience, async (found, isLate, isOver) => {
    changes = await listWrittenItems(sql, space.id, revision, MAX_ITEMS)
    saved = changes.flatMap(change => savedItems(core.addresses, space.subdomain, change))
    for (const item of saved)
      if (item.kind !== 'deleted' && item.kind !== 'file') found.waiting.add(labelOf(item))
    for (const item of saved) {
      // The call has returned, so nobody needs the rest.
      if (isOver()) return
      if (item.kind === 'deleted') {
        found.uses.push(...(await remainingUses(author, item)))
        continue
      }
      if (item.kind === 'file') {
        const ids = (await listFilesNamed(sql, space.id, item.name)).map(({ id }) => id)
        if (ids.length > 1) found.sameNames.push({ name: item.name, saved: item.id, ids })
        continue
      }
      if (item.kind === 'record') {
        const record = await findData(sql, space.id, item.key)
        if (record && isJsonText(record.value)) found.textRecords.push(item.key)
      }
      if (isLate()) return
      if (item.kind === 'page') await reviewPage(author, item.id, found)
      else if (item.kind === 'part') await reviewPart(author, item, found, isLate)
      else await reviewRecord(author, item, found, isLate)
      found.waiting.delete(labelOf(item))
    }
  })
  if (changes?.length === MAX_ITEMS) review.unchecked.push('the other items')
  return { ...review, saved, isUnchanged: changes?.length === 0 }
}

/** How a review names an item. */
const labelOf = (item: Exclude<SavedItem, { kind: 'deleted' | 'file' }>): string =>
  item.kind === 'page'
    ? `the page “${item.slug}”`
    : `the ${item.kind} “${item.kind === 'part' ? item.name : item.key}”`

/**
 * Evaluates an unsaved page, or the pages that include an unsaved part.
 *
 * @param partName the name of the part; omitted for a page
 * @param slug the slug of the page
 * @throws errors of the database
 */
export const reviewTemplate = (
  author: SpaceUser,
  html: string,
  kind: 'scripted' | 'static',
  partName: string | undefined,
  slug = 'draft',
): Promise<SavedReview> =>
  inTime(author.core, CHECK_PATIENCE_MS, async (found, isLate) => {
    found.waiting.add('the template')
    if (partName === undefined) {
      collect(found, '', await evaluateForAuthor(author, { slug, kind, html }))
    } else {
      const names = [partName]
      const draft = { id: partName, names, html }
      await reviewPart(author, { kind: 'part', name: partName, names }, found, isLate, draft)
    }
    found.waiting.delete('the template')
  })

/**
 * Runs a review with a timeout.
 *
 * @param patience in ms
 * @param review adds problems to its argument, and removes from `waiting` what it has checked
 */
const inTime = async (
  core: Core,
  patience: number,
  review: (found: Findings, isLate: () => boolean, isOver: () => boolean) => Promise<void>,
): Promise<SavedReview> => {
  const found = newFindings()
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patience)
  const end = performance.now() + patience
  const isOver = () => performance.now() > end
  const isLate = () => isOver() || core.renderer.load.waiting >= BUSY
  try {
    await Promise.race([review(found, isLate, isOver), timeout])
  } catch (error) {
    if (!(error instanceof RendererBusyError)) throw error
  } finally {
    clearTimeout(timer)
  }
  // A copy, because after a timeout the review may still add to `found`.
  return summary(found)
}

const reviewPage = async (author: SpaceUser, id: string, found: Findings) => {
  const page = await findPage(author.core.database, author.space.id, id)
  if (page) collect(found, page.slug, await evaluateForAuthor(author, page))
}

/**
 * Evaluates pages one after another, and reports each to `use`. Pages beyond `MAX_PAGES`, and those for which there is
 * no time, stay in `found.waiting`.
 */
const evaluatePages = async (
  author: SpaceUser,
  pages: readonly { id: string; slug: string }[],
  found: Findings,
  isLate: () => boolean,
  use: (slug: string, outcome: RenderOutcome) => void,
  draft?: DraftPart,
): Promise<void> => {
  const label = (slug: string) => `the page “${slug}”`
  for (const { slug } of pages) found.waiting.add(label(slug))
  for (const { id, slug } of pages.slice(0, MAX_PAGES)) {
    if (isLate()) return
    const page = await findPage(author.core.database, author.space.id, id)
    if (page) use(slug, await evaluateForAuthor(author, page, draft && [draft]))
    found.waiting.delete(label(slug))
  }
}

/**
 * Reviews a part in the pages that include it, or alone if no page does. Does not report problems in the pages
 * themselves.
 *
 * @param draft replaces the stored part
 */
const reviewPart = async (
  author: SpaceUser,
  { name, names }: SavedItem & { kind: 'part' },
  found: Findings,
  isLate: () => boolean,
  draft?: DraftPart,
): Promise<void> => {
  const pages = await listPagesIncludingTransitively(author.core.database, author.space.id, names)
  const inPages = newFindings()
  const collectPage = (slug: string, outcome: RenderOutcome) => {
    collect(inPages, slug, outcome)
    if (!outcome.ok) found.broken.push({ slug, error: outcome.error })
  }
  await evaluatePages(author, pages, found, isLate, collectPage, draft)
  // A hint in the part itself is the same on every page, so report this hint without a page. If the part is used as a
  // layout, another hint can say that a body does not fit this layout. Report that hint with the page.
  const isOwn = ({ where }: PageReview['hints'][number]) => where.body === 'part' && where.name === name
  for (const hint of inPages.hints) {
    if (isOwn(hint)) found.hints.push({ ...hint, slug: '' })
    else if (hint.layout === name) found.hints.push(hint)
  }
  const kind = pages.some(page => page.kind === 'static') ? 'static' : 'scripted'
  const alone = { slug: 'index', kind, html: `{% include '${name}' %}` } as const
  const outcome = await evaluateForAuthor(author, alone, draft && [draft])
  if (pages.length > 0) {
    // Links and removed markup can be written anywhere. Assume that a finding on a page comes from the part if it also
    // appears when the part is evaluated alone.
    const own = newFindings()
    collect(own, '', outcome)
    found.links.push(...own.links.filter(link => isAmong(link, inPages.links)))
    found.removed.push(...own.removed.filter(removal => isAmong(removal, inPages.removed)))
    return
  }
  if (!outcome.ok && outcome.error.where.body === 'part')
    found.broken.push({ slug: '', error: outcome.error })
  found.hints.push(
    ...hintsIn(outcome)
      .filter(isOwn)
      .map(hint => ({ ...hint, slug: '' })),
  )
}

/** Reviews a record in the pages that use it. Reports the pages that show an error, and links that it contains. */
const reviewRecord = async (
  author: SpaceUser & { readable: readonly string[] },
  { key }: SavedItem & { kind: 'record' },
  found: Findings,
  isLate: () => boolean,
): Promise<void> => {
  const { core, space } = author
  const sql = core.database
  const uses = await remainingUses(author, { what: 'record', name: key })
  const by = uses.flatMap(use => use.by)
  const parts = by.filter(({ kind }) => kind === 'part').map(({ name }) => name)
  const pages = [
    ...by.filter(({ kind }) => kind === 'page').map(({ id, name }) => ({ id, slug: name })),
    ...(parts.length > 0 ? await listPagesIncludingTransitively(sql, space.id, parts) : []),
  ]
  const bySlug = new Map(pages.map(page => [page.slug, page]))
  await evaluatePages(author, [...bySlug.values()], found, isLate, (slug, outcome) => {
    if (!outcome.ok) return void found.broken.push({ slug, error: outcome.error })
    const own = (outcome.review?.links ?? []).filter(
      ({ where }) => where?.body === 'record' && where.name === key,
    )
    found.links.push(...own.map(link => ({ ...link, slug })))
  })
}
