import { z } from 'zod'
import { address, subdomain, text } from '../../api/fields.ts'
import { limits, rules } from '../../api/rules.ts'
import { pageId, slug } from '../pages/schema.ts'
import { name as partName } from '../parts/schema.ts'

const where = z.object({ body: z.enum(['page', 'part']), name: z.string() })

/** Where a link or removed markup is written. */
const origin = {
  where: z
    .object({ body: z.enum(['page', 'part', 'record']), name: z.string() })
    .nullable()
    .meta({
      description:
        'The first place where it is written, in a record with its path there; null if it was not found',
    }),
  line: z.number().nullable(),
}

const Fault = z.object({
  kind: z.enum(['syntax', 'timeout', 'missing_part', 'render', 'too_large']),
  message: z.string(),
  advice: z.string().meta({ description: 'How to correct it' }),
  where,
  line: z.number().nullable(),
  column: z.number().nullable(),
  excerpt: z.string().nullable().meta({ description: 'The source line' }),
})

/** The problems found in a template. */
export const Findings = {
  errors: z
    .array(z.object({ slug: z.string(), error: Fault }))
    .meta({ description: 'Pages that would show an error; an empty slug means the template itself' }),
  hints: z
    .array(
      z.object({
        message: z.string(),
        nearest: z.string().nullable(),
        where,
        line: z.number(),
        column: z.number(),
      }),
    )
    .meta({ description: 'Names that do not exist, and filters with wrong arguments' }),
  links: z
    .array(z.object({ message: z.string(), nearest: z.string().nullable(), count: z.number(), ...origin }))
    .meta({ description: 'Links that lead nowhere, and files that do not load' }),
  removed: z
    .array(
      z.object({
        element: z.string(),
        attribute: z.string().nullable(),
        message: z.string(),
        count: z.number(),
        ...origin,
      }),
    )
    .meta({ description: 'Markup that is removed because the page is static' }),
}

/** What a page says about itself. */
const about = {
  slug: z.string(),
  layout: z
    .string()
    .nullable()
    .meta({ description: 'The part that the template names as its layout; null if there is none' }),
  title: z.string().nullable().meta({ description: 'The title of the document' }),
  description: z.string().nullable().meta({ description: 'The description in the head of the document' }),
}

export const TemplateCheck = z.strictObject({
  subdomain,
  html: text({ min: 1, max: rules.page.html_max_length }).meta({ description: 'The template to check' }),
  kind: z
    .enum(rules.page.kinds)
    .default(rules.page.default_kind)
    .meta({ description: 'The kind of page that the template is for' }),
  slug: slug.optional().meta({
    description: 'The slug of the page, if the template is a page; templates read it as page.slug',
  }),
  output: z.enum(['none', 'text', 'html']).default('none').meta({
    description:
      'Whether to return the page as visitors would get it: `text` is what they read, `html` is the markup. A part is returned alone',
  }),
  part_name: partName.optional().meta({
    description:
      'Name of the part, if the template is a part; the template is checked in pages that include the part',
  }),
})

export const CheckedTemplate = z.object({
  works: z.boolean().meta({ description: 'True if no problems were found' }),
  is_complete: z.boolean().meta({ description: 'False if not everything was checked' }),
  unchecked: z.array(z.string()).meta({
    description:
      'What was not checked, because there was too much of it or the service was too busy, such as `the page “about”`',
  }),
  ...Findings,
  page: z
    .object({
      ...about,
      content: z.string().meta({ description: `At most ${limits.renderedText} characters` }),
      length: z.int().meta({ description: 'Number of characters of the whole page in this format' }),
    })
    .nullable()
    .meta({ description: 'The page, if `output` asks for it and it shows no error' }),
})

export const PageRendering = z.strictObject({
  subdomain,
  page_id: pageId,
  format: z
    .enum(['text', 'html'])
    .default('text')
    .meta({ description: '`text` is what visitors read, with the targets of links; `html` is the markup' }),
  from: z
    .int()
    .min(0)
    .default(0)
    .meta({ description: 'The character to start at; to continue, send the `next` of the previous result' }),
})

export const RenderedPage = z.object({
  url: address,
  ...about,
  works: z.boolean().meta({ description: 'False if the page shows an error instead of its content' }),
  error: Fault.nullable(),
  content: z
    .string()
    .nullable()
    .meta({ description: `At most ${limits.renderedText} characters` }),
  length: z.int().meta({ description: 'Number of characters of the whole page in this format' }),
  next: z.int().nullable().meta({ description: 'Send this as `from` to continue; null at the end' }),
})

export const TextSearch = z.strictObject({
  subdomain,
  text: text({ min: 1, max: limits.searchText, trim: true }).meta({
    description: 'The text to find, ignoring case',
  }),
})

export const SearchResult = z.object({
  data: z.array(
    z.object({
      kind: z.enum(['page', 'part', 'record', 'file']),
      id: z.string().meta({ description: 'The id, or the key of a record' }),
      name: z.string().meta({ description: 'The slug, name or key' }),
      in: z.enum(['name', 'html', 'value', 'description']),
      line: z.int().meta({ description: 'From 1' }),
      excerpt: z.string().meta({ description: 'The line, shortened around the match' }),
    }),
  ),
  is_complete: z.boolean().meta({
    description: `False if there are more than ${limits.searchMatches} matches, or more than ${limits.searchBytes / 1_048_576} MiB to search`,
  }),
})
