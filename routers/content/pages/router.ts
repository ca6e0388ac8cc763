import { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { isSpaceFull } from '../../../db/queries/full.ts'
import { deletePage, findPage, insertPage, listPages } from '../../../db/queries/pages.ts'
import { inSpace } from '../../access/in-space.ts'
import { subdomain } from '../../core/fields.ts'
import { requireSpaceFor } from '../../core/limit.ts'
import { Problem } from '../../core/problem.ts'
import { router } from '../../core/trpc.ts'
import { changePage } from './change-page.ts'
import { NewPage, Page, PageChange, PageWithHtml, pageId } from './schema.ts'
import { toPage } from './to-page.ts'

const tags = ['Pages']

export const pages = router({
  list: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'listPages',
        method: 'GET',
        path: '/spaces/{subdomain}/pages',
        tags,
        summary: 'List the pages',
        description: 'All pages of the space, ordered by slug, without their bodies.',
      },
      tool: {
        name: 'list_pages',
        description:
          "Returns all pages ordered by slug, with id, kind and url, but without html; get_page returns that. Use it to find a page's id.",
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(z.object({ data: z.array(Page) }).meta({ id: 'PageList' }))
    .query(async ({ ctx }) => {
      const rows = await listPages(ctx.sql, ctx.space.id)
      return { data: rows.map(row => toPage(ctx.core.addresses, ctx.space, row)) }
    }),

  create: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'createPage',
        method: 'POST',
        path: '/spaces/{subdomain}/pages',
        tags,
        summary: 'Create a page',
        description: 'The page is public immediately. If the slug is taken, nothing changes.',
      },
      status: 201,
      errors: ['slug_taken', 'limit_reached'],
      tool: {
        name: 'create_page',
        description:
          'Creates a page, which is public immediately at the returned url. The slug must be free (slug_taken): to change an existing page, use update_page. Templates are not checked when saved: open the url to see whether the page works.',
      },
    })
    .input(NewPage)
    .output(Page)
    .mutation(async ({ ctx, input }) => {
      const { references } = await ctx.core.renderer.analyse(input.html)
      const now = new Date()
      const row = await ctx.write(async sql => {
        const created = await insertPage(sql, {
          space_id: ctx.space.id,
          id: newId(),
          slug: input.slug,
          kind: input.kind,
          html: input.html,
          includes: references,
          created_at: now,
          updated_at: now,
        })
        // After the insert, so that a taken slug is reported first.
        const max = ctx.core.creationLimits.pages
        requireSpaceFor(
          await isSpaceFull(sql, 'pages', ctx.space.id, max + 1),
          `A space can have at most ${max} pages.`,
        )
        return created
      })
      return toPage(ctx.core.addresses, ctx.space, row)
    }),

  get: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'getPage',
        method: 'GET',
        path: '/spaces/{subdomain}/pages/{page_id}',
        tags,
        summary: 'Read a page',
        description: 'One page with its stored body.',
      },
      errors: ['page_not_found'],
      tool: {
        name: 'get_page',
        description:
          'Returns a page with its stored html. Call it before you change part of a page: update_page replaces all of html.',
      },
    })
    .input(z.strictObject({ subdomain, page_id: pageId }))
    .output(PageWithHtml)
    .query(async ({ ctx, input }) => {
      const row = await findPage(ctx.sql, ctx.space.id, input.page_id)
      if (!row) throw new Problem('page_not_found')
      return { ...toPage(ctx.core.addresses, ctx.space, row), html: row.html }
    }),

  update: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'updatePage',
        method: 'PATCH',
        path: '/spaces/{subdomain}/pages/{page_id}',
        tags,
        summary: 'Change a page',
        description:
          'Changes only the fields that are sent. With a new slug the old address stops working; the id stays the same.',
      },
      errors: ['page_not_found', 'slug_taken'],
      tool: {
        name: 'update_page',
        description:
          'Changes only the fields you send, at least one of slug, kind and html. html is replaced entirely: start from get_page. With a new slug the old address stops working, without a redirect. Returns the page without html.',
      },
    })
    .input(PageChange)
    .output(Page)
    .mutation(async ({ ctx, input }) => toPage(ctx.core.addresses, ctx.space, await changePage(ctx, input))),

  delete: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'deletePage',
        method: 'DELETE',
        path: '/spaces/{subdomain}/pages/{page_id}',
        tags,
        summary: 'Delete a page',
        description: 'The address stops working. This cannot be undone.',
      },
      status: 204,
      errors: ['page_not_found'],
      tool: {
        name: 'delete_page',
        description:
          'Deletes a page permanently; its address stops working. To be able to restore it, call get_page first and keep its html.',
      },
    })
    .input(z.strictObject({ subdomain, page_id: pageId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const found = await ctx.write(sql => deletePage(sql, ctx.space.id, input.page_id))
      if (!found) throw new Problem('page_not_found')
    }),
})
