import { z } from 'zod'
import { deleteItem } from '../../../db/queries/item-rows.ts'
import { findPage, listPages } from '../../../db/queries/pages.ts'
import { subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { requirePreconditionOf } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { mapInSlices, validatedInSlices } from '../../api/slices.ts'
import { router } from '../../api/trpc.ts'
import { explainTakenSlug } from '../name-conflicts.ts'
import { changePage } from './change-page.ts'
import { createPage } from './create-page.ts'
import { NewPage, Page, PageChange, PageWithHtml, pageId, toPage } from './schema.ts'

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
          "Returns all pages ordered by slug, with id, kind and url. Use it to find a page's id. It does not return html; get_page does.",
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(validatedInSlices(z.object({ data: z.array(Page) }).meta({ id: 'PageList' })))
    .query(async ({ ctx }) => {
      const rows = await listPages(ctx.sql, ctx.space.id)
      return { data: await mapInSlices(rows, row => toPage(ctx.core.addresses, ctx.space, row)) }
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
          'Creates a page, which is public immediately at the returned url. The slug must be free (slug_taken): to change an existing page, use update_page. A page with mistakes is saved too; a second text in the result then lists the mistakes.',
      },
    })
    .input(NewPage)
    .output(Page)
    .mutation(({ ctx, input: { subdomain: _, ...fields } }) => createPage(ctx, fields)),

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
      conditional: ['If-None-Match'],
      tool: {
        name: 'get_page',
        description:
          'Returns a page with its stored html. Call it before you change something in a page: update_page replaces all of html.',
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
      conditional: ['If-Match'],
      tool: {
        name: 'update_page',
        description:
          'Changes only the fields you send. Send at least one of slug, kind and html. The html you send replaces all of the stored html, so start from the html that get_page returns. With a new slug, the old address stops working, without a redirect. Returns the page without html.',
      },
    })
    .input(PageChange)
    .output(Page)
    .mutation(async ({ ctx, input: { subdomain: _, page_id, ...fields } }) => {
      const change = changePage(ctx, page_id, fields)
      const page = await change.catch(error => explainTakenSlug(ctx, fields.slug ?? '', error))
      return toPage(ctx.core.addresses, ctx.space, page)
    }),

  delete: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'deletePage',
        method: 'DELETE',
        path: '/spaces/{subdomain}/pages/{page_id}',
        tags,
        summary: 'Delete a page',
        description:
          'The address of the page stops working. Participants can restore the page from the history in the dashboard.',
      },
      status: 204,
      errors: ['page_not_found'],
      conditional: ['If-Match'],
      tool: {
        name: 'delete_page',
        description:
          'Deletes a page; its address stops working. People can restore it from the history in the dashboard, and you can with restore where that tool is listed.',
      },
    })
    .input(z.strictObject({ subdomain, page_id: pageId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const deleted = await ctx.write(async write => {
        await requirePreconditionOf(
          ctx.precondition,
          () => findPage(write.sql, ctx.space.id, input.page_id),
          'page',
        )
        return deleteItem(write, 'page', input.page_id)
      })
      if (deleted === undefined) throw new Problem('page_not_found')
    }),
})
