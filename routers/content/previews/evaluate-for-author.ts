import { createHash } from 'node:crypto'
import { findVersion, readSpaceContent } from '../../../db/queries/delivery.ts'
import type { SpaceUser } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import type { MarkedOutcome, RenderOutcome, RenderRequest, SiteSnapshot } from '../../api/renderer.ts'
import { rules } from '../../api/rules.ts'
import { snapshotOf } from './snapshot.ts'

/** The name under which a draft is evaluated while its typed name is not valid. */
export const UNNAMED = 'draft'

const SLUG = new RegExp(rules.page.slug.pattern)

/** Whose turn in the renderer a draft takes, and its space. */
type Author = Pick<SpaceUser, 'core' | 'accountId'> & { space: Pick<SpaceUser['space'], 'id' | 'subdomain'> }

/** An unsaved page. */
interface DraftPage {
  /** As typed so far. */
  slug: string
  kind: 'scripted' | 'static'
  html: string
}

/** An unsaved part. It replaces every stored part whose name is in `names`. */
export interface DraftPart {
  /** Distinguishes drafts of different parts. */
  id: string
  /** The names by which templates include the part: its stored name, its new name, or both. */
  names: string[]
  html: string
}

/** An unsaved record. It replaces the stored record with its key. */
export interface DraftRecord {
  key: string
  /** The value as JSON. */
  json: string
}

/**
 * Evaluates an unsaved page with the content of its space. The renderer treats drafts as a separate space, so that a
 * draft that exceeds a limit does not count against saved pages.
 *
 * @throws RendererBusyError when too many pages are queued
 */
export const evaluateForAuthor = async (
  author: SpaceUser,
  page: DraftPage,
  parts: readonly DraftPart[] = [],
): Promise<RenderOutcome> => author.core.renderer.render(await requestInSpace(author, page, parts))

/** Like {@link evaluateForAuthor}, but the document also has marks for the editor. */
export const evaluateForEditor = async (
  author: SpaceUser,
  page: DraftPage,
  parts: readonly DraftPart[] = [],
): Promise<MarkedOutcome> => author.core.renderer.renderMarked(await requestInSpace(author, page, parts))

/**
 * Evaluates an unsaved page for the people who have a link to it. What they request has no consequences for the previews
 * of authors.
 *
 * @throws RendererBusyError when too many pages are queued
 */
export const evaluateForLink = async (author: Author, page: DraftPage): Promise<RenderOutcome> => {
  const request = await requestInSpace(author, page)
  return author.core.renderer.render({
    ...request,
    space: `link ${author.space.id}`,
    page: { ...request.page, reviewed: false },
  })
}

/** Like {@link evaluateForAuthor}, with an unsaved record. */
export const evaluateWithRecord = async (
  author: SpaceUser,
  page: DraftPage,
  record: DraftRecord,
): Promise<RenderOutcome> => author.core.renderer.render(await requestInSpace(author, page, [], record))

const requestInSpace = async (
  { core, accountId, space }: Author,
  { slug: typed, kind, html }: DraftPage,
  parts: readonly DraftPart[] = [],
  record?: DraftRecord,
): Promise<RenderRequest> => {
  const slug = SLUG.test(typed) ? typed : UNNAMED
  const sql = core.database
  const version = await findVersion(sql, space.id)
  if (!version) throw new Problem('space_not_found')
  const { revision, main_host } = version
  const unsaved = parts.flatMap(({ names, html }) => [...names, html])
  if (record) unsaved.push(record.key, record.json)
  return {
    space: `draft ${space.id} ${parts.map(({ id }) => id).join(' ')}`,
    account: accountId,
    revision: unsaved.length > 0 ? `${revision} ${digest(...unsaved)}` : revision,
    // The snapshot may be newer than `revision`, which doesn't matter for a draft.
    snapshot: async () => {
      const content = await readSpaceContent(sql, space.id, '')
      if (!content) throw new Problem('space_not_found')
      const snapshot = parts.reduce(withPart, snapshotOf(core.addresses, content))
      return record ? { ...snapshot, data: { ...snapshot.data, [record.key]: record.json } } : snapshot
    },
    ...requestFor({ slug, kind, html }, core.addresses.mainPage({ ...space, main_host }, slug)),
  }
}

/**
 * Evaluates an unsaved page with unsaved content of its space.
 *
 * @param content `id` distinguishes this content from any other
 * @throws RendererBusyError when too many pages are queued
 */
export const evaluateWith = (
  { core, accountId, space }: SpaceUser,
  page: DraftPage,
  { id, snapshot }: { id: string; snapshot: SiteSnapshot },
): Promise<RenderOutcome> =>
  core.renderer.render({
    space: `draft ${space.id} ${id}`,
    account: accountId,
    revision: id,
    snapshot: async () => snapshot,
    ...requestFor(page, `${snapshot.space.url}/${page.slug}`),
  })

const requestFor = ({ slug, kind, html }: DraftPage, url: string) => ({
  body: async () => html,
  page: {
    id: digest(slug, kind, html),
    slug,
    kind,
    url,
    reviewed: true,
  },
})

const withPart = (snapshot: SiteSnapshot, { names, html }: DraftPart): SiteSnapshot => ({
  ...snapshot,
  parts: [
    ...snapshot.parts.filter(({ name }) => !names.includes(name)),
    ...names.map(name => ({ name, html })),
  ],
})

/**
 * Returns a hash of a draft's text. The hash is part of the page id or the revision that the renderer gets. The
 * renderer caches by page id and revision. A changed draft has a new hash, so the renderer uses nothing that was cached
 * for the old draft.
 */
const digest = (...texts: string[]) => createHash('sha256').update(JSON.stringify(texts)).digest('base64')
