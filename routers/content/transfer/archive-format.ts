import { z } from 'zod'
import { spaceName } from '../../api/fields.ts'
import { type CreationLimits, limits, rules } from '../../api/rules.ts'
import { settings } from '../pages/schema.ts'
import { portableName } from './portable-names.ts'

/** The name of the archive format in the manifest. */
export const FORMAT = 'space-site-space'
export const VERSION = 1

/** Name of the file that describes the other files of an archive. */
export const MANIFEST = 'manifest.json'

/** Name of the file with the icon of the space. */
export const ICON = 'icon.png'

/** A UTC time. PostgreSQL has no year 0. */
const instant = z.iso
  .datetime()
  .refine(text => !text.startsWith('0000'), { error: 'must not be in year 0' })
  .optional()

/**
 * The manifest of an archive, which has all details that the paths of the other files cannot express. These paths are
 * `pages/SLUG.liquid`, `parts/NAME.liquid`, `data/KEY.json`, `files/ID/NAME` and `icon.png`; templates can also end in
 * `.html`.
 */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  exported_at: z.string().optional(),
  space: z
    .object({
      subdomain: z.string(),
      name: spaceName,
      /** Whether the space had an icon; absent in older archives, which have no icons. */
      has_icon: z.boolean().optional(),
    })
    .optional(),
  /** The domain of the addresses of files, with its port; absent in older archives. */
  files_domain: z
    .string()
    .regex(/^[a-z0-9.:-]{1,300}$/, { error: 'must be a domain' })
    .optional(),
  pages: z
    .record(z.string(), z.object(settings).partial().extend({ created_at: instant, updated_at: instant }))
    .default({}),
  data: z.record(z.string(), z.object({ description: z.string().nullable() })).default({}),
  /** Original names of files by path, for names that `filePath` had to change. */
  files: z.record(z.string(), z.object({ name: z.string() })).default({}),
  /**
   * In a change of some items: the version that each path to write or delete is based on, or null if the path is new. See
   * `change-items.ts`.
   */
  changes: z.record(z.string(), z.string().nullable()).optional(),
})

export type Manifest = z.output<typeof Manifest>

/** The path of a file in an archive. */
export const filePath = (id: string, name: string): string => `files/${id}/${portableName(name)}`

/** A path or name without differences that some operating systems do not make: of letter case and Unicode forms. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase()

/**
 * The paths of files in a folder that people work in, by the id of the file: the name alone, unless several files have
 * it.
 */
export const shortFilePaths = (files: readonly { id: string; name: string }[]): Map<string, string> => {
  const names = Map.groupBy(files, ({ name }) => folded(portableName(name)))
  return new Map(
    files.map(({ id, name }) => {
      const isOnly = names.get(folded(portableName(name)))?.length === 1
      return [id, isOnly ? `files/${portableName(name)}` : filePath(id, name)]
    }),
  )
}

/**
 * Maximum size of a page or record in an archive, in bytes. A character takes up to four bytes, and JSON can be
 * indented.
 */
export const MAX_TEXT = 4 * rules.page.html_max_length

/** Maximum size of a file's path and other properties in an archive, counting both copies that a zip file contains. */
const MAX_HEADERS = 4_096

/**
 * Maximum total size of the paths of an archive, in bytes. The names of ten thousand files take less, even if each is as
 * long as it can be.
 */
export const MAX_NAMES = 16_777_216

/** Maximum size of an archive, in bytes. Only a space that has reached all its limits could need so much. */
export const maxArchiveSize = ({ pages, parts, files }: CreationLimits): number =>
  pages * MAX_TEXT +
  4 * rules.part.total_max_length +
  rules.data.max_records * MAX_TEXT +
  rules.file.quota_bytes +
  limits.archiveManifest +
  limits.iconBytes +
  (pages + parts + rules.data.max_records + files + 2) * MAX_HEADERS
