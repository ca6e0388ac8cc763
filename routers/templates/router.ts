import { z } from 'zod'
import { listData } from '../../db/queries/data.ts'
import { listFiles } from '../../db/queries/files.ts'
import { listPages } from '../../db/queries/pages.ts'
import { listParts } from '../../db/queries/parts.ts'
import { asParticipant } from '../access/signed-in.ts'
import { type DerivedSchema, deriveSchema } from '../data/derive-schema.ts'
import type { Json } from '../data/json.ts'
import { subdomain } from '../fields.ts'
import { vocabulary } from '../liquid/vocabulary.ts'
import { router } from '../trpc.ts'

const Vocabulary = z.object({
  tags: z.array(z.string()),
  filters: z.array(z.string()),
  pages: z.array(z.string()).meta({ description: 'Slugs' }),
  parts: z.array(z.string()).meta({ description: 'Names' }),
  files: z.array(z.object({ name: z.string(), url: z.string() })),
  data: z.array(z.object({ key: z.string(), schema: z.custom<DerivedSchema>() })),
})

/** What people who write templates want proposed. */
export const templates = router({
  /** What a template of the space can name: the words of the language, and what is in the space by its names. */
  vocabulary: asParticipant
    .input(z.strictObject({ subdomain }))
    .output(Vocabulary)
    .query(async ({ ctx }) => {
      const [pages, parts, files, records] = await Promise.all([
        listPages(ctx.sql, ctx.space.id),
        listParts(ctx.sql, ctx.space.id),
        listFiles(ctx.sql, ctx.space.id),
        listData(ctx.sql, ctx.space.id),
      ])
      return {
        ...vocabulary,
        pages: pages.map(({ slug }) => slug),
        parts: parts.map(({ name }) => name),
        files: files.map(({ id, name }) => ({ name, url: ctx.core.addresses.file(id) })),
        data: records.map(({ key, value }) => ({ key, schema: deriveSchema(JSON.parse(value) as Json) })),
      }
    }),
})
