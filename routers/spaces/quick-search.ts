import { z } from 'zod'
import { findItemsByName, findSpacesOfAccount } from '../../db/queries/find.ts'
import type { Addresses } from '../api/addresses.ts'
import { subdomain, text } from '../api/fields.ts'
import { inSpace } from '../api/in-space.ts'
import { limits } from '../api/rules.ts'
import { signedIn } from '../api/signed-in.ts'
import { searchTexts } from '../content/search/search-texts.ts'

/** The fields of a space that lists show. */
export const SpaceSummary = z.object({
  subdomain: z.string(),
  name: z.string(),
  url: z.string(),
  icon_url: z.string().nullable(),
})

/** Converts a row to a `SpaceSummary`. */
export const toSummary = (
  addresses: Addresses,
  row: { subdomain: string; name: string; icon_id: string | null },
) => ({
  subdomain: row.subdomain,
  name: row.name,
  url: addresses.site(row.subdomain),
  icon_url: row.icon_id === null ? null : addresses.icon(row.icon_id),
})

/** Maximum number of spaces in the response. */
const MAX_SPACES = 20

/** Maximum number of items of each kind in the response. */
const MAX_ITEMS = 6

/** Maximum number of lines of one item, if only one kind of items is searched. */
const MAX_LINES = 3

const FoundSpaces = z.object({
  spaces: z.array(SpaceSummary),
  /** Whether more spaces match than are returned. */
  has_more: z.boolean(),
})

/**
 * Finds the person's spaces by subdomain or name. If the text is empty, returns the spaces that the person used most
 * recently.
 */
export const find = signedIn
  .input(z.strictObject({ text: text({ max: limits.quickSearch, trim: true }) }))
  .output(FoundSpaces)
  .query(async ({ ctx: { core, sql, session }, input }) => {
    const rows = await findSpacesOfAccount(sql, session.accountId, input.text, MAX_SPACES + 1)
    return {
      spaces: rows.slice(0, MAX_SPACES).map(row => toSummary(core.addresses, row)),
      has_more: rows.length > MAX_SPACES,
    }
  })

const FoundItems = z.array(
  z.object({ kind: z.enum(['page', 'part', 'record', 'file']), id: z.string(), name: z.string() }),
)

/** Finds items of a space by slug, name or key. */
export const findItems = inSpace({ sessionOnly: true })
  .input(z.strictObject({ subdomain, text: text({ min: 1, max: limits.quickSearch, trim: true }) }))
  .output(FoundItems)
  .query(({ ctx: { sql, space }, input }) => findItemsByName(sql, space.id, input.text, MAX_ITEMS))

const TEXTS = ['page', 'part', 'record'] as const

const FoundTexts = z.object({
  lines: z.array(
    z.object({
      kind: z.enum(TEXTS),
      id: z.string(),
      name: z.string(),
      in: z.enum(['html', 'value', 'description']),
      line: z.int(),
      excerpt: z.string(),
      /** Offset of the match in the stored text. */
      offset: z.int(),
    }),
  ),
  /** Whether more items of the one kind can contain the text. */
  has_more: z.boolean(),
})

/** Finds the lines of pages, parts and records of a space that contain a text. */
export const findTexts = inSpace({ sessionOnly: true })
  .input(
    z.strictObject({
      subdomain,
      text: text({ min: 2, max: limits.searchText, trim: true }),
      /** The kind of items to search; by default, all. */
      kind: z.enum(TEXTS).optional(),
    }),
  )
  .output(FoundTexts)
  .query(async ({ ctx, input: { text, kind } }) => {
    const { matches, isComplete } = await searchTexts(ctx, text, {
      kinds: kind === undefined ? TEXTS : [kind],
      fields: ['html', 'value', 'description'],
      ...(kind === undefined ? { each: MAX_ITEMS, lines: 1 } : { lines: MAX_LINES }),
    })
    return { lines: matches as z.infer<typeof FoundTexts>['lines'], has_more: !isComplete }
  })
