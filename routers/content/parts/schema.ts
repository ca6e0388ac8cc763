import { z } from 'zod'
import { atLeastOneOf, exampleIds, id, patterned, subdomain, text, timestamp } from '../../api/fields.ts'
import { rules } from '../../api/rules.ts'

const { part: rule } = rules

/** The name of a part. */
export const name = patterned(
  rule.name.pattern,
  `must be ${rule.name.min_length} to ${rule.name.max_length} lowercase letters, digits, hyphens and underscores, with a letter or digit at either end`,
).meta({
  pattern: rule.name.pattern,
  minLength: rule.name.min_length,
  maxLength: rule.name.max_length,
  description: 'The name by which templates include the part; unique within the space',
  examples: ['main-nav'],
})

const html = text({ min: 1, max: rule.html_max_length, trim: true }).meta({
  description: 'The body, a Liquid template. Surrounding white space is removed first',
  examples: ['<nav>{% for page in pages %}…{% endfor %}</nav>'],
})

export const partId = id('part')

/** The fields of a part that callers set. */
export const PartFields = z.strictObject({ name, html })

const reference = {
  id: z.string().meta({ description: 'Does not change with the name', examples: [exampleIds.part] }),
  name: z.string().meta({ examples: ['main-nav'] }),
}

/** A part without its body: an element of a list, or the response to a write. */
export const Part = z
  .object({ ...reference, created_at: timestamp, updated_at: timestamp })
  .meta({ id: 'Part' })

export const PartWithHtml = Part.extend({
  html: z.string().meta({
    description: 'The stored body',
    examples: ['<nav>{% for page in pages %}…{% endfor %}</nav>'],
  }),
  used_by: z
    .object({
      pages: z.array(
        z.object({
          id: z.string().meta({ examples: [exampleIds.page] }),
          slug: z.string().meta({ examples: ['about-us'] }),
        }),
      ),
      parts: z.array(z.object(reference)).meta({ examples: [[]] }),
    })
    .meta({
      description:
        'Pages and parts that name this part in `render`, `include` or `layout`. Names in variables are not found',
    }),
}).meta({ id: 'PartWithHtml' })

export const NewPart = z.strictObject({ subdomain, ...PartFields.shape })

export const PartChange = atLeastOneOf(
  z.strictObject({ subdomain, part_id: partId, ...PartFields.partial().shape }),
  Object.keys(PartFields.shape),
)

/** Converts a row to the API's part object. */
export const toPart = (
  row: Omit<z.output<typeof Part>, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date },
): z.output<typeof Part> => ({
  id: row.id,
  name: row.name,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
