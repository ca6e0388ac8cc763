import { findPage } from '../../../db/queries/pages.ts'
import type { Core } from '../../api/context.ts'
import { inSpace } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import type { RenderOutcome } from '../../api/renderer.ts'
import { limits } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import { readableKinds } from '../history/kinds.ts'
import { evaluateForAuthor } from '../previews/evaluate-for-author.ts'
import { reviewTemplate } from '../reviews/review-saved.ts'
import { searchTexts } from '../search/search-texts.ts'
import { pageText } from './page-text.ts'
import {
  CheckedTemplate,
  PageRendering,
  RenderedPage,
  SearchResult,
  TemplateCheck,
  TextSearch,
} from './schema.ts'

/** Maximum number of characters of a page's HTML that are converted to text. */
const READ = 524_288

/** Maximum number of unchecked pages that `check_template` lists. */
const MAX_UNCHECKED = 100

/** Tools for building a site. They are not operations, so the REST API does not have them. */
export const studio = router({
  checkTemplate: inSpace('pages')
    .meta({
      tool: {
        name: 'check_template',
        title: 'Check a template',
        description:
          'Evaluates a template with the content of the space, without saving it, and returns errors, names that do not exist, links that lead nowhere and markup that is removed from a static page. With part_name, checks the template as that part, in pages that include it. With output, also returns the page as visitors would get it, with its slug, layout, title and description.',
      },
    })
    .input(TemplateCheck)
    .output(CheckedTemplate)
    .query(async ({ ctx, input: { html, kind, part_name, output, slug = 'draft' } }) => {
      const { unchecked, broken, hints, links, removed } = await reviewTemplate(
        ctx,
        html,
        kind,
        part_name,
        slug,
      )
      const shown = part_name === undefined ? undefined : { id: part_name, names: [part_name], html }
      const body = shown ? `{% include '${part_name}' %}` : html
      const outcome =
        output === 'none'
          ? undefined
          : await evaluateForAuthor(ctx, { slug, kind, html: body }, shown && [shown])
      return {
        works: [broken, hints, links, removed].every(list => list.length === 0),
        is_complete: unchecked.length === 0,
        unchecked: unchecked.slice(0, MAX_UNCHECKED),
        errors: broken,
        hints,
        links,
        removed,
        page: outcome?.ok
          ? { ...aboutPage(slug, outcome), ...pieceOf(outcome.html.toString(), output === 'html', 0) }
          : null,
      }
    }),

  renderPage: inSpace('pages')
    .meta({
      errors: ['page_not_found'],
      tool: {
        name: 'render_page',
        title: 'Render a page',
        description:
          'Returns a saved page as visitors get it, as text or as html, with its slug, layout, title and description. If the page shows an error, returns that error instead. A static page is returned without the markup that the service removes from it. Scripts are not run.',
      },
    })
    .input(PageRendering)
    .output(RenderedPage)
    .query(async ({ ctx, input: { page_id, format, from } }) => {
      const page = await findPage(ctx.sql, ctx.space.id, page_id)
      if (!page) throw new Problem('page_not_found')
      const outcome = await evaluateForAuthor(ctx, page)
      const url = ctx.core.addresses.page(ctx.space.subdomain, page.slug)
      if (!outcome.ok)
        return {
          url,
          slug: page.slug,
          layout: null,
          title: null,
          description: null,
          works: false,
          error: outcome.error,
          content: null,
          length: 0,
          next: null,
        }
      const piece = pieceOf(outcome.html.toString(), format === 'html', from)
      const end = from + limits.renderedText
      return {
        url,
        ...aboutPage(page.slug, outcome),
        works: true,
        error: null,
        ...piece,
        next: end < piece.length ? end : null,
      }
    }),

  search: inSpace()
    .meta({
      tool: {
        name: 'search',
        title: 'Search the space',
        description:
          'Finds a text in the slugs and html of pages, the names and html of parts, the keys, values and descriptions of records, and the names of files, and returns the lines that contain it. Searches only what the scopes of the key allow.',
      },
    })
    .input(TextSearch)
    .output(SearchResult)
    .query(async ({ ctx, input: { text } }) => {
      await countSearch(ctx.core, ctx.accountId)
      const kinds = readableKinds(ctx).filter(kind => kind !== 'space')
      const { matches, isComplete } = await searchTexts(ctx, text, { kinds })
      return { data: matches, is_complete: isComplete }
    }),
})

/** What an evaluated page says about itself. */
const aboutPage = (slug: string, { head, review }: RenderOutcome & { ok: true }) => ({
  slug,
  layout: review?.layout ?? null,
  title: head.title,
  description: head.metas.find(({ name }) => name.toLowerCase() === 'description')?.content ?? null,
})

/** A piece of an evaluated page, and the length of the whole page in the same format. */
const pieceOf = (html: string, isMarkup: boolean, from: number) => {
  const whole = isMarkup ? html : pageText(html.slice(0, READ))
  return { content: whole.slice(from, from + limits.renderedText).toWellFormed(), length: whole.length }
}

/** Counts a search by an account. Each search reads up to `limits.searchBytes`. @throws `rate_limited` */
const countSearch = async ({ searches }: Core, accountId: string): Promise<void> => {
  const { refused, limit, reset } = await searches.consume(accountId)
  if (refused)
    throw new Problem('rate_limited', {
      detail: `An account can search ${limit} times per minute; wait ${reset} s.`,
      retryAfter: reset,
    })
}
