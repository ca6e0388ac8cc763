import { z } from 'zod'
import type { Addresses } from '../../api/addresses.ts'
import {
  address,
  atLeastOneOf,
  exampleIds,
  id,
  patterned,
  subdomain,
  text,
  timestamp,
} from '../../api/fields.ts'
import { RESERVED_SLUGS, rules } from '../../api/rules.ts'

const { page: rule } = rules

/** The slug of a page. */
export const slug = patterned(
  rule.slug.pattern,
  `must be ${rule.slug.min_length} to ${rule.slug.max_length} lowercase letters, digits and hyphens, with no hyphen at either end`,
  { trim: true },
)
  .refine(value => !RESERVED_SLUGS.includes(value), { error: 'is reserved for the site itself' })
  .meta({
    pattern: rule.slug.pattern,
    minLength: rule.slug.min_length,
    maxLength: rule.slug.max_length,
    description: 'The last part of the address, unique within the space; `index` is the home page',
    examples: ['about-us'],
  })

const kind = z.enum(rule.kinds).meta({
  id: 'PageKind',
  description:
    '`scripted` runs HTML, CSS and JavaScript in a frame with its own origin; `static` is shown directly, with scripts, forms and embeds removed',
})

const html = text({ min: 1, max: rule.html_max_length, trim: true }).meta({
  description:
    'The body, a Liquid template. A template with mistakes is saved too; its page then shows an error. Scripts get data with `{{ data.x | json | raw }}`. Surrounding white space is removed first',
  examples: ['<h1>{{ space.name }}</h1>'],
})

export const pageId = id('page')

/** What a page has besides its slug and its body. Every schema of a page contains it. */
export const settings = { kind }

/** The same in a new page, where all of it can be left out. */
export const NewSettings = z.object({ kind: kind.default(rule.default_kind) } satisfies Record<
  keyof typeof settings,
  z.ZodType
>)

/** The fields of a page that callers set. */
export const PageFields = z.strictObject({ slug, ...settings, html })

/** A page without its body. Returned in lists, and when a page is created or changed. */
export const Page = z
  .object({
    id: z.string().meta({ description: 'Does not change with the slug', examples: [exampleIds.page] }),
    slug: z.string().meta({ examples: ['about-us'] }),
    ...settings,
    url: address.meta({
      description: 'The address of the page',
      examples: ['https://garden.sites.example/about-us'],
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Page' })

export const PageWithHtml = Page.extend({
  html: z.string().meta({ description: 'The stored body', examples: ['<h1>{{ space.name }}</h1>'] }),
}).meta({ id: 'PageWithHtml' })

export const NewPage = z.strictObject({ subdomain, slug, ...NewSettings.shape, html })

export const PageChange = atLeastOneOf(
  z.strictObject({ subdomain, page_id: pageId, ...PageFields.partial().shape }),
  Object.keys(PageFields.shape),
)

/** Converts a row to the API's page object. */
export const toPage = (
  addresses: Addresses,
  space: { subdomain: string },
  row: Omit<z.output<typeof Page>, 'url' | 'created_at' | 'updated_at'> & {
    created_at: Date
    updated_at: Date
  },
): z.output<typeof Page> => ({
  id: row.id,
  slug: row.slug,
  kind: row.kind,
  url: addresses.page(space.subdomain, row.slug),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
