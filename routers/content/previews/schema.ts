import { z } from 'zod'
import { id, subdomain, text } from '../../core/fields.ts'
import { rules } from '../../core/rules.ts'

/** The editor that a draft is of, for as long as it is open. */
const editor = z.string().min(1).max(40)

/** A name that is being typed: no rule is broken before it is saved. */
const name = text({ max: 200 })

export const PageDraft = z.strictObject({
  subdomain,
  editor,
  slug: name,
  kind: z.enum(rules.page.kinds),
  html: text({ max: rules.page.html_max_length }),
})

export const PartDraft = z.strictObject({
  subdomain,
  editor,
  /** Of the stored part that it changes; none for a new one. */
  part_id: id('part').optional(),
  name,
  html: text({ max: rules.part.html_max_length }),
  /** The page to show it in; none shows it alone. */
  page_id: id('page').optional(),
})

const TemplateFault = z.object({
  kind: z.enum(['syntax', 'timeout', 'missing_part', 'render', 'too_large']),
  message: z.string(),
  advice: z.string(),
  where: z.object({ body: z.enum(['page', 'part']), name: z.string() }),
  line: z.number().nullable(),
  column: z.number().nullable(),
  excerpt: z.string().nullable(),
})

/** What became of a draft. */
export const Preview = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('document'), html: z.string(), kind: z.enum(rules.page.kinds) }),
  z.object({ outcome: z.literal('error'), error: TemplateFault }),
  /** A newer draft of the same editor took its place before it was looked at. */
  z.object({ outcome: z.literal('superseded') }),
])
