import type { Sql } from '../../../db/orm.ts'
import { findPage, updatePage } from '../../../db/queries/pages.ts'
import type { SpaceRef } from '../../core/actor.ts'
import type { Core } from '../../core/context.ts'
import { after } from '../../core/instant.ts'
import { Problem } from '../../core/problem.ts'

/** The part of a call's context that a write needs. */
export interface SpaceWriter {
  core: Core
  space: SpaceRef
  write: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>
}

/** A stored page, before the change. */
export type PageBefore = NonNullable<Awaited<ReturnType<typeof findPage>>>

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
 * @throws `page_not_found`, a violation of `pages_slug_unique`
 */
export const changePage = async (
  { core, space, write }: SpaceWriter,
  { page_id, ...change }: Change,
  check: (before: PageBefore) => void = () => {},
) => {
  const analysis = change.html === undefined ? undefined : await core.renderer.analyse(change.html)
  return write(async sql => {
    const before = await findPage(sql, space.id, page_id)
    if (!before) throw new Problem('page_not_found')
    const { slug = before.slug, kind = before.kind, html = before.html } = change
    if (slug === before.slug && kind === before.kind && html === before.html) return before
    check(before)
    return updatePage(sql, space.id, page_id, {
      slug,
      kind,
      ...(analysis ? { html, includes: analysis.references } : {}),
      updated_at: after(before.updated_at),
    })
  })
}
