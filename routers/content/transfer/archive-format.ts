import { z } from 'zod'
import { rules } from '../../core/rules.ts'

/** Identifies the kind of archive in its manifest. */
export const FORMAT = 'space-site-space'
export const VERSION = 1

/** Name of the file that describes the other files of an archive. */
export const MANIFEST = 'manifest.json'

/**
 * The manifest of an archive, which has all details that the paths of the other files cannot express. These paths are
 * `pages/SLUG.liquid`, `parts/NAME.liquid`, `data/KEY.json` and `files/ID/NAME`; `.html` works too.
 */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  exported_at: z.string().optional(),
  space: z.object({ subdomain: z.string(), name: z.string() }).optional(),
  pages: z.record(z.string(), z.object({ kind: z.enum(rules.page.kinds) })).default({}),
  data: z.record(z.string(), z.object({ description: z.string().nullable() })).default({}),
  /** Original names of files by path, for names that `filePath` had to change. */
  files: z.record(z.string(), z.object({ name: z.string() })).default({}),
})

export type Manifest = z.output<typeof Manifest>

/** Characters that some operating systems do not allow in file names. */
const UNSAFE = /[<>:"|?*\\/]|[. ]$/g

/** The path of a file in an archive. */
export const filePath = (id: string, name: string): string => `files/${id}/${name.replaceAll(UNSAFE, '_')}`
