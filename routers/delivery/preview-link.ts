import { timingSafeEqual } from 'node:crypto'
import { ID_PATTERN } from '../../db/id.ts'
import { findDraft } from '../../db/queries/drafts.ts'
import { findPage } from '../../db/queries/pages.ts'
import { findPreviewLink } from '../../db/queries/preview-links.ts'
import type { Core } from '../api/context.ts'
import { problemOf } from '../api/problem.ts'
import type { RenderOutcome } from '../api/renderer.ts'
import { hashSecret } from '../api/secret.ts'
import { evaluateForLink } from '../content/previews/evaluate-for-author.ts'
import { parseDraft } from '../content/unsaved/store.ts'

type Link = NonNullable<Awaited<ReturnType<typeof findPreviewLink>>>

/** What a preview link shows. */
interface ShownDraft {
  kind: 'scripted' | 'static'
  outcome: RenderOutcome
}

/** Returns the preview link with this id; undefined if there is none, or if it has expired or was revoked. */
export const openPreviewLink = async ({ database }: Core, id: string): Promise<Link | undefined> =>
  ID_PATTERN.test(id) ? findPreviewLink(database, id) : undefined

/** Whether a text is the secret part of a link. How long the comparison takes says nothing about the secret. */
export const isTokenOf = ({ token }: Link, text: string): boolean =>
  timingSafeEqual(hashSecret(token), hashSecret(text))

/**
 * Evaluates what a link shows: the draft of the page by the person who created the link, as it is now, or the saved page
 * if there is no draft.
 *
 * @returns null if the page was deleted, or the draft of a page that was never saved was discarded
 * @throws RendererBusyError when too many pages are queued
 */
export const evaluateLinked = async (core: Core, link: Link): Promise<ShownDraft | null> => {
  const { account_id: accountId, space_id: spaceId, subdomain, thing } = link
  const [draft, saved] = await Promise.all([
    findDraft(core.database, accountId, { spaceId, kind: 'page', thing }),
    findPage(core.database, spaceId, thing),
  ])
  const fields = draft && (draft.is_new || saved) ? parseDraft('page', draft.content)?.fields : undefined
  const page = fields ?? saved
  if (!page) return null
  const author = { core, accountId, space: { id: spaceId, subdomain } }
  try {
    return { kind: page.kind, outcome: await evaluateForLink(author, page) }
  } catch (error) {
    // The space was deleted in the meantime.
    if (problemOf(error).problem === 'space_not_found') return null
    throw error
  }
}
