import { listPagesIncludingTransitively } from '../../../db/queries/find.ts'
import { findPage } from '../../../db/queries/pages.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { Problem, unavailable } from '../../api/problem.ts'
import { RendererBusyError, type SiteSnapshot, type TemplateError } from '../../api/renderer.ts'
import { limits } from '../../api/rules.ts'
import { evaluateForAuthor, evaluateWith } from '../previews/evaluate-for-author.ts'
import { remainingUses } from '../reviews/remaining-uses.ts'
import { BUSY, CHECK_PATIENCE_MS } from '../reviews/review-saved.ts'

/** The content of a space after a write that has not been made. */
export interface Rehearsed {
  /** Distinguishes this content from other content of the space. */
  id: string
  snapshot: SiteSnapshot
  /** The pages that the write creates or changes, and their bodies; undefined if a page keeps its body. */
  pages: readonly { id: string; slug: string; kind: 'scripted' | 'static'; html: string | undefined }[]
  /** The old and new names of the parts, and the keys of the records. */
  parts: readonly string[]
  records: readonly string[]
}

type Page = Rehearsed['pages'][number]

/** Maximum number of errors that the problem lists. */
const MAX_ERRORS = 20

/**
 * Requires that a write breaks no page: none of the pages that it writes, or that use a part or record which it writes,
 * may show an error that it does not show now.
 *
 * @throws `validation_failed` with the errors, `limit_reached` if there are too many pages, `unavailable` if there is
 * no time to evaluate all of them
 */
export const requireWorking = async (author: SpaceCall, after: Rehearsed): Promise<void> => {
  const { core } = author
  const pages = await affectedPages(author, after)
  if (pages.length > limits.checkedPages)
    throw new Problem('limit_reached', {
      detail: `This changes ${pages.length} pages, and at most ${limits.checkedPages} can be checked at once. Write fewer items, or write without refuse_broken.`,
    })
  const end = performance.now() + CHECK_PATIENCE_MS
  const broken: { slug: string; error: TemplateError }[] = []
  for (const page of pages) {
    if (performance.now() > end || core.renderer.load.waiting >= BUSY)
      throw unavailable('The service is too busy to check all pages. Nothing was written.')
    const error = await newError(author, after, page)
    if (error) broken.push({ slug: page.slug, error })
  }
  if (broken.length > 0)
    throw new Problem('validation_failed', {
      errors: broken.slice(0, MAX_ERRORS).map(({ slug, error }) => ({
        field: 'refuse_broken',
        message: `would break the page “${slug}”: ${textOf(error)}`,
      })),
    })
}

const affectedPages = async (author: SpaceCall, { pages, parts, records }: Rehearsed) => {
  const { sql, space } = author
  const names = [...parts]
  const found: Page[] = [...pages]
  for (const name of records) {
    const asker = { ...author, readable: ['page', 'part'] }
    for (const user of (await remainingUses(asker, { what: 'record', name })).flatMap(({ by }) => by)) {
      if (user.kind === 'part') names.push(user.name)
      if (user.kind === 'page') {
        const page = await findPage(sql, space.id, user.id)
        if (page) found.push({ ...page, html: undefined })
      }
    }
  }
  if (names.length > 0)
    found.push(
      ...(await listPagesIncludingTransitively(sql, space.id, names)).map(page => ({
        ...page,
        html: undefined,
      })),
    )
  // The pages that the write changes are the first ones, so they win over what is stored.
  const byId = Map.groupBy(found, ({ id }) => id)
  return [...byId.values()].map(([page]) => page!)
}

/** Returns the error that a page would show after the write, unless it shows an error now. */
const newError = async (
  author: SpaceCall,
  { id, snapshot }: Rehearsed,
  page: Page,
): Promise<TemplateError | null> => {
  const stored = await findPage(author.sql, author.space.id, page.id)
  const html = page.html ?? stored?.html
  // Someone has deleted the page in the meantime.
  if (html === undefined) return null
  try {
    const outcome = await evaluateWith(author, { ...page, html }, { id, snapshot })
    if (outcome.ok) return null
    const now = stored && (await evaluateForAuthor(author, stored))
    return now?.ok === false ? null : outcome.error
  } catch (error) {
    if (error instanceof RendererBusyError)
      throw unavailable('The service is too busy to check all pages. Nothing was written.', error)
    throw error
  }
}

const textOf = ({ where, line, column, message }: TemplateError): string => {
  const body = where.body === 'part' ? [`part “${where.name}”`] : []
  const place = line === null ? [] : [`line ${line}`, ...(column === null ? [] : [`column ${column}`])]
  const position = [...body, ...place].join(', ')
  return position ? `${position}: ${message}` : message
}
