import { requireScope } from '../../api/credential.ts'
import { inSpace } from '../../api/in-space.ts'
import { invalid } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import { DataRecord } from '../data/schema.ts'
import { Page, toPage } from '../pages/schema.ts'
import { Part, toPart } from '../parts/schema.ts'
import { editData, editPage, editPart } from './edit-stored.ts'
import { DataEdit, ManyWrites, ManyWritten, PageEdit, PartEdit } from './schema.ts'
import { writeMany } from './write-many.ts'

/** Tools that replace passages in an item, or write several items at once. */
export const edits = router({
  page: inSpace('pages')
    .meta({
      errors: ['page_not_found', 'version_conflict'],
      tool: {
        name: 'edit_page',
        title: 'Edit a page',
        description:
          'Replaces texts in the html of a page and leaves the rest as it is. Each old text must occur exactly once, so include enough of the text around it. All replacements are made, or none. If you send the updated_at that you read, the edit is refused if someone has changed the page since.',
        isIdempotent: false,
      },
    })
    .input(PageEdit)
    .output(Page)
    .mutation(async ({ ctx, input: { page_id, edits: list, updated_at } }) => {
      const page = await editPage(ctx, page_id, list, updated_at)
      return toPage(ctx.core.addresses, ctx.space, page)
    }),

  part: inSpace('pages')
    .meta({
      errors: ['part_not_found', 'version_conflict', 'parts_quota_exceeded'],
      tool: {
        name: 'edit_part',
        title: 'Edit a part',
        description:
          'Replaces texts in the html of a part as edit_page does in a page. Pages that include the part change immediately.',
        isIdempotent: false,
      },
    })
    .input(PartEdit)
    .output(Part)
    .mutation(async ({ ctx, input: { part_id, edits: list, updated_at } }) =>
      toPart(await editPart(ctx, part_id, list, updated_at)),
    ),

  data: inSpace('data')
    .meta({
      errors: ['data_not_found', 'version_conflict', 'data_quota_exceeded'],
      tool: {
        name: 'edit_data',
        title: 'Edit a record',
        description:
          'Replaces texts in a record’s value, which is compact JSON without spaces. Each old text must occur exactly once, and the result must be JSON. Returns the record.',
        isIdempotent: false,
      },
    })
    .input(DataEdit)
    .output(DataRecord)
    .mutation(({ ctx, input: { key, edits: list, version } }) => editData(ctx, key, list, version)),

  many: inSpace('pages', 'data')
    .meta({
      errors: [
        'version_conflict',
        'data_not_found',
        'slug_taken',
        'part_name_taken',
        'parts_quota_exceeded',
        'data_quota_exceeded',
        'limit_reached',
      ],
      tool: {
        name: 'write_many',
        title: 'Write several pages, parts and records',
        description: `Creates, replaces or renames pages, parts and records, at most ${limits.manyWrites} of each, and can replace a text everywhere. If one of them fails, nothing is written. Pages are found by slug, parts by name, records by key. Use it to build a site in few calls; parts, records and pages can refer to each other. With refuse_broken, pages that work keep working; with dry_run, nothing is written.`,
        isIdempotent: false,
      },
    })
    .input(ManyWrites)
    .output(ManyWritten)
    .mutation(async ({ ctx, input }) => {
      if (input.pages.length + input.parts.length > 0) requireScope(ctx.scopes, ['pages'])
      if (input.records.length > 0) requireScope(ctx.scopes, ['data'])
      if (input.pages.length + input.parts.length + input.records.length === 0 && !input.replace)
        throw invalid('$', 'must have at least one page, part or record, or a text to replace')
      requireDistinct('pages', 'slug', input.pages)
      requireDistinct('parts', 'name', input.parts)
      requireDistinct('records', 'key', input.records)
      const { pages, parts, records, replaced } = await writeMany(ctx, input)
      return {
        pages: pages.slice(0, input.pages.length).map(page => toPage(ctx.core.addresses, ctx.space, page)),
        parts: parts.slice(0, input.parts.length).map(toPart),
        records: records.slice(0, input.records.length).map(({ key, version }) => ({ key, version })),
        replaced,
        is_written: !input.dry_run,
      }
    }),
})

/**
 * Requires that no item of a list has the name of an earlier one.
 *
 * @throws `validation_failed` for the first item that has such a name
 */
const requireDistinct = <Name extends string>(
  list: 'pages' | 'parts' | 'records',
  field: Name,
  items: readonly Record<Name, string>[],
): void => {
  const names = items.map(item => item[field])
  const twin = names.findIndex((name, index) => names.indexOf(name) < index)
  if (twin !== -1) throw invalid(`${list}.${twin}.${field}`, 'occurs twice in this call')
}
