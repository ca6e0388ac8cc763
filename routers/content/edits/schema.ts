import { z } from 'zod'
import { isStorable, subdomain, text, timestamp } from '../../api/fields.ts'
import { limits, rules } from '../../api/rules.ts'
import { DataWrite, key } from '../data/schema.ts'
import { Page, PageFields, pageId } from '../pages/schema.ts'
import { Part, PartFields, partId } from '../parts/schema.ts'

const replaced = z
  .string()
  .min(1, { error: 'must not be empty' })
  .refine(isStorable, { error: 'must not contain U+0000 or a lone surrogate' })

const edits = z
  .array(
    z
      .strictObject({
        old: replaced.meta({ description: 'The text to replace; it must occur exactly once' }),
        new: text({ max: rules.page.html_max_length }).meta({ description: 'The text to put in its place' }),
      })
      .refine(edit => edit.old !== edit.new, { error: 'must differ from old', path: ['new'] }),
  )
  .min(1, { error: 'must not be empty' })
  .max(limits.edits, { error: `must have at most ${limits.edits} entries` })
  .meta({ description: 'Replacements, made one after another' })

const base = timestamp.optional().meta({
  description: 'The updated_at that you read: the edit is refused if someone has changed the item since',
})

export const PageEdit = z.strictObject({ subdomain, page_id: pageId, edits, updated_at: base })

export const PartEdit = z.strictObject({ subdomain, part_id: partId, edits, updated_at: base })

export const DataEdit = z.strictObject({
  subdomain,
  key,
  edits: edits.meta({
    description: 'Replacements in the compact JSON of the value, as get_data returns it',
    examples: [[{ old: '"places":12', new: '"places":9' }]],
  }),
  version: DataWrite.shape.version,
})

/** A list of at most `limits.manyWrites` items; empty by default. */
const some = <Item extends z.ZodType>(item: Item, description: string) =>
  z
    .array(item)
    .max(limits.manyWrites, { error: `must have at most ${limits.manyWrites} entries` })
    .default([])
    .meta({ description })

const manyBase = timestamp.nullable().optional().meta({
  description:
    'The updated_at that you read: nothing is written if someone has changed the item since; null if it must not exist yet',
})

export const ManyWrites = z.strictObject({
  subdomain,
  pages: some(
    PageFields.partial().extend({
      slug: PageFields.shape.slug,
      new_slug: PageFields.shape.slug.optional().meta({ description: 'Renames the page' }),
      updated_at: manyBase,
    }),
    'Pages to create. A page whose slug exists is replaced; without html or kind, it keeps its own. A new page needs html, and is scripted without kind',
  ),
  parts: some(
    PartFields.partial().extend({
      name: PartFields.shape.name,
      new_name: PartFields.shape.name.optional().meta({
        description: 'Renames the part. Change the pages and parts that include it in the same call',
      }),
      updated_at: manyBase,
    }),
    'Parts to create. A part whose name exists is replaced; without html, it keeps its own. A new part needs html',
  ),
  records: some(DataWrite.omit({ subdomain: true }), 'Records to create or replace, as put_data does'),
  replace: z
    .strictObject({
      old: replaced
        .max(limits.searchText, { error: `must be at most ${limits.searchText} characters long` })
        .meta({
          description: 'The text to replace, exactly as it is written',
        }),
      new: text({ max: rules.page.html_max_length }).meta({ description: 'The text to put in its place' }),
    })
    .refine(({ old, new: replacement }) => old !== replacement, {
      error: 'must differ from old',
      path: ['new'],
    })
    .optional()
    .meta({
      description:
        'Replaces a text wherever it occurs: in the html of all pages and parts and in the strings of all records that the key can write, also in those of this call. Upper and lower case differ. Try it with dry_run first',
    }),
  refuse_broken: z.boolean().default(false).meta({
    description:
      'Write nothing if a page would show an error that it does not show now; the problem then lists these errors. Does not see pages that include a part by a variable',
  }),
  dry_run: z.boolean().default(false).meta({
    description: 'Write nothing, but check everything and return what would be written',
  }),
})

export const Replaced = z.object({
  kind: z.enum(['page', 'part', 'record']),
  name: z.string().meta({ description: 'The slug, name or key' }),
  count: z.int().meta({ description: 'How often the text occurred' }),
})

export const ManyWritten = z.object({
  pages: z.array(Page),
  parts: z.array(Part),
  records: z.array(z.object({ key: z.string(), version: z.int() })),
  replaced: z.array(Replaced).meta({ description: 'The items in which `replace` found its text' }),
  is_written: z.boolean().meta({
    description: 'False after a dry run. New items then get other ids when they are written',
  }),
})

/** The input of a write of many items. */
export type Input = z.output<typeof ManyWrites>

/** An item to write. */
interface Placed {
  /** The input field of the item, for errors. */
  place: string
  /** When the item was last changed, if its new body was made from the one that was stored then. */
  read?: Date
}

export type PageWrite = Input['pages'][number] & Placed
export type PartWrite = Input['parts'][number] & Placed
export type RecordWrite = Input['records'][number] & Placed

/** The items that a call writes. */
export interface Writes {
  pages: PageWrite[]
  parts: PartWrite[]
  records: RecordWrite[]
}
