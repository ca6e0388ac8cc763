import { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { deleteItem, insertItem } from '../../../db/queries/item-rows.ts'
import { findPart, findPartWithUsers, listPartEdges, listParts } from '../../../db/queries/parts.ts'
import { sendLast } from '../../../db/transaction.ts'
import { codePoints, subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { requirePreconditionOf } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { rules } from '../../api/rules.ts'
import { keepAnswer } from '../../api/safe-retries.ts'
import { mapInSlices, validatedInSlices } from '../../api/slices.ts'
import { router } from '../../api/trpc.ts'
import { includesOfSaved } from '../includes.ts'
import { checkPart, refuseTooMany } from '../limits.ts'
import { explainTakenName } from '../name-conflicts.ts'
import { changePart } from './change-part.ts'
import { NewPart, Part, PartChange, PartWithHtml, partId, toPart } from './schema.ts'

const tags = ['Parts']

export const parts = router({
  list: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'listParts',
        method: 'GET',
        path: '/spaces/{subdomain}/parts',
        tags,
        summary: 'List the parts',
        description: 'All parts of the space, ordered by name, without their bodies.',
      },
      tool: {
        name: 'list_parts',
        description:
          'Parts are templates that pages share. Use this to find the id of a part. Returns all parts ordered by name, without html; get_part returns html.',
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(validatedInSlices(z.object({ data: z.array(Part) }).meta({ id: 'PartList' })))
    .query(async ({ ctx }) => ({ data: await mapInSlices(await listParts(ctx.sql, ctx.space.id), toPart) })),

  create: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'createPart',
        method: 'POST',
        path: '/spaces/{subdomain}/parts',
        tags,
        summary: 'Create a part',
        description:
          'A part can include parts that do not exist yet, but not itself, directly or indirectly.',
      },
      status: 201,
      errors: ['part_name_taken', 'parts_quota_exceeded', 'limit_reached'],
      tool: {
        name: 'create_part',
        description: `Creates a template that pages and parts include by its name; it has no address of its own. All parts of a space can have ${rules.part.total_max_length} characters in total, and must not include each other in a cycle. Returns the part without html.`,
      },
    })
    .input(NewPart)
    .output(Part)
    .mutation(async ({ ctx, input: { subdomain: _, ...fields } }) => {
      const includes = await includesOfSaved(ctx, fields.html)
      const now = new Date()
      const part = {
        id: newId(),
        ...fields,
        includes,
        length: codePoints(fields.html),
        created_at: now,
        updated_at: now,
      }
      const creation = ctx.write(async write => {
        const edges = await listPartEdges(write.sql, ctx.space.id)
        checkPart(edges, part, 'html')
        const { creationLimits } = ctx.core
        refuseTooMany(edges.length >= creationLimits.parts, 'parts', creationLimits)
        sendLast(write.sql, () => insertItem(write, 'part', part))
        keepAnswer(ctx, write.sql, () => toPart(part))
      })
      await creation.catch(error => explainTakenName(ctx, part.name, error))
      return toPart(part)
    }),

  get: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'getPart',
        method: 'GET',
        path: '/spaces/{subdomain}/parts/{part_id}',
        tags,
        summary: 'Read a part',
        description: 'One part with its stored body, and the pages and parts that include it.',
      },
      errors: ['part_not_found'],
      conditional: [],
      tool: {
        name: 'get_part',
        description:
          'Returns a part with its html and used_by, the pages and parts that include it. Call it before you change, rename or delete a part.',
      },
    })
    .input(z.strictObject({ subdomain, part_id: partId }))
    .output(PartWithHtml)
    .query(async ({ ctx, input }) => {
      const row = await findPartWithUsers(ctx.sql, ctx.space.id, input.part_id)
      if (!row) throw new Problem('part_not_found')
      return { ...toPart(row), html: row.html, used_by: { pages: row.pages, parts: row.parts } }
    }),

  update: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'updatePart',
        method: 'PATCH',
        path: '/spaces/{subdomain}/parts/{part_id}',
        tags,
        summary: 'Change a part',
        description:
          'Changes only the fields that are sent. Pages that include the part change immediately; after a rename, those that include the old name become error pages.',
      },
      errors: ['part_not_found', 'part_name_taken', 'parts_quota_exceeded'],
      conditional: ['If-Match'],
      tool: {
        name: 'update_part',
        description:
          'Changes only the fields you send: name, html or both. The html you send replaces all of the stored html, so start from the html that get_part returns. Pages that include the part change immediately; after a rename, those that include the old name show an error until you change them. Returns the part without html.',
      },
    })
    .input(PartChange)
    .output(Part)
    .mutation(async ({ ctx, input: { subdomain: _, part_id, ...fields } }) => {
      const change = changePart(ctx, part_id, fields)
      const part = await change.catch(error => explainTakenName(ctx, fields.name ?? '', error))
      return toPart(part)
    }),

  delete: inSpace('pages')
    .meta({
      openapi: {
        operationId: 'deletePart',
        method: 'DELETE',
        path: '/spaces/{subdomain}/parts/{part_id}',
        tags,
        summary: 'Delete a part',
        description:
          'Pages that include the part become error pages. Participants can restore it from the history in the dashboard.',
      },
      status: 204,
      errors: ['part_not_found'],
      conditional: ['If-Match'],
      tool: {
        name: 'delete_part',
        description: 'Deletes a part. Pages that include it show an error: check used_by in get_part first.',
      },
    })
    .input(z.strictObject({ subdomain, part_id: partId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const deleted = await ctx.write(async write => {
        await requirePreconditionOf(
          ctx.precondition,
          () => findPart(write.sql, ctx.space.id, input.part_id),
          'part',
        )
        return deleteItem(write, 'part', input.part_id)
      })
      if (deleted === undefined) throw new Problem('part_not_found')
    }),
})
