import { z } from 'zod'
import { id, subdomain, text } from '../../api/fields.ts'
import { limits, rules } from '../../api/rules.ts'
import { newKey, value as recordValue } from '../data/schema.ts'

/** Identifies an open editor. */
const editor = z.string().min(1).max(40)

/** Whether the document gets marks that say where its elements are written. */
const marked = z.boolean().optional()

/** A name that is still being typed. It is validated only when it is saved. */
const name = text({ max: 200 })

/** Stored parts that are edited beside, with their unsaved bodies. */
const beside = z
  .array(
    z.strictObject({
      name: text({ max: rules.part.name.max_length }),
      html: text({ max: rules.part.html_max_length }),
    }),
  )
  .max(limits.partsBeside)
  .optional()

export const PageDraft = z.strictObject({
  subdomain,
  editor,
  slug: name,
  kind: z.enum(rules.page.kinds),
  html: text({ max: rules.page.html_max_length }),
  marked,
  beside,
})

export const PartDraft = z.strictObject({
  subdomain,
  editor,
  /** The stored part being edited; omitted for a new one. */
  part_id: id('part').optional(),
  name,
  html: text({ max: rules.part.html_max_length }),
  /** The page to show the part in; omitted to show it alone. */
  page_id: id('page').optional(),
  marked,
  beside,
})

export const RecordDraft = z.strictObject({
  subdomain,
  editor,
  key: newKey,
  value: recordValue,
  /** The page to show. */
  page_id: id('page'),
})

const place = z.object({ body: z.enum(['page', 'part']), name: z.string() })

/** Why a page could not be evaluated. */
export const TemplateFault = z.object({
  kind: z.enum(['syntax', 'timeout', 'missing_part', 'render', 'too_large']),
  message: z.string(),
  advice: z.string(),
  correction: z.object({ written: z.string(), nearest: z.string() }).optional(),
  where: place,
  line: z.number().nullable(),
  column: z.number().nullable(),
  excerpt: z.string().nullable(),
})

/** The first place where something on the page is written. */
const origin = {
  where: z
    .object({ body: z.enum(['page', 'part', 'record']), name: z.string(), path: z.string().optional() })
    .nullable(),
  line: z.number().nullable(),
}

/**
 * What an author should know about a draft: hints, links that do not work, and markup that is removed from a static
 * page.
 */
const PageReview = z.object({
  hints: z.array(
    z.object({
      message: z.string(),
      nearest: z.string().nullable(),
      written: z.string().nullable(),
      where: place,
      line: z.number(),
      column: z.number(),
    }),
  ),
  links: z.array(
    z.object({ message: z.string(), nearest: z.string().nullable(), count: z.number(), ...origin }),
  ),
  removed: z.array(
    z.object({
      element: z.string(),
      attribute: z.string().nullable(),
      message: z.string(),
      count: z.number(),
      ...origin,
    }),
  ),
})

const record = z.tuple([z.string()], z.union([z.string(), z.number()]))
const range = { body: z.number(), begin: z.number(), end: z.number() }

/** Where the elements of a draft are written; see `PageMarks` of api/renderer.ts. */
const PageMarks = z.object({
  bodies: z.array(place),
  elements: z.array(
    z.object({
      ...range,
      name: z.string(),
      tagEnd: z.number(),
      isLiteral: z.boolean(),
      contents: z.array(
        z.object({
          ...range,
          record: record.nullable(),
          isInTag: z.boolean(),
          isLiteral: z.boolean(),
          isUnchanged: z.boolean(),
          isWholeText: z.boolean(),
        }),
      ),
      picture: z
        .object({
          by: z.enum(['url', 'name']),
          source: z.object(range).nullable(),
          record: record.nullable(),
        })
        .nullable(),
    }),
  ),
})

/** The outcome of evaluating a draft. */
export const Preview = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('document'),
    html: z.string(),
    kind: z.enum(rules.page.kinds),
    review: PageReview,
    marks: PageMarks.optional(),
  }),
  z.object({ outcome: z.literal('error'), error: TemplateFault }),
  /** A later draft of the same editor replaced it in the queue. */
  z.object({ outcome: z.literal('superseded') }),
])
