import { findPageToChange, updatePage } from '../../../db/queries/pages.ts'
import { sendLast } from '../../../db/transaction.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { after, requirePrecondition } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { includesOfSaved } from '../includes.ts'

/** A stored page, before the change. */
export type PageBefore = NonNullable<Awaited<ReturnType<typeof findPageToChange>>>

interface Change {
  page_id: string
  slug?: string | undefined
  kind?: PageBefore['kind'] | undefined
  html?: string | undefined
}

/**
 * Changes the given fields of a page.
 *
 * @param check called with the stored page under the space's lock, unless nothing would change; throws to refuse
 * @throws `page_not_found`, `precondition_failed`, a violation of `pages_slug_unique`
 */
export const changePage = async (
  ctx: SpaceCall,
  { page_id, ...change }: Change,
  check: (before: PageBefore) => void = () => {},
) => {
  const { space, write, precondition } = ctx
  const includes = change.html === undefined ? undefined : await includesOfSaved(ctx, change.html)
  return write(async current => {
    const before = await findPageToChange(current.sql, space.id, page_id)
    if (!before) throw new Problem('page_not_found')
    requirePrecondition(precondition, before, 'page')
    const { slug = before.slug, kind = before.kind, html = before.html } = change
    if (slug === before.slug && kind === before.kind && html === before.html) return before
    check(before)
    const changed = { slug, kind, updated_at: after(before.updated_at) }
    const body = includes && { html, includes }
    sendLast(current.sql, () => updatePage(current, before.id, { ...changed, body }))
    return { ...before, ...changed }
  })
}
