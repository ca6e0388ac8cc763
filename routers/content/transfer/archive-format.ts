import { z } from 'zod'
import { rules } from '../../core/rules.ts'
import { spaceName } from '../space-info/name.ts'

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
    .record(
      z.string(),
      z.object({ kind: z.enum(rules.page.kinds), created_at: instant, updated_at: instant }),
    )
    .default({}),
  data: z.record(z.string(), z.object({ description: z.string().nullable() })).default({}),
  /** Original names of files by path, for names that `filePath` had to change. */
  files: z.record(z.string(), z.object({ name: z.string() })).default({}),
})

export type Manifest = z.output<typeof Manifest>

/** Characters that some operating systems do not allow in file names. */
const UNSAFE = /[<>:"|?*\\/]|[. ]$/g

/** Whether a path belongs to a file that operating systems add to archives. Imports ignore such files. */
export const isLitter = (path: string): boolean =>
  /^__MACOSX\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(path)

/** Device names, which Windows does not allow as file names, even with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Returns a file name that all operating systems allow and that an import does not ignore. */
export const portableName = (name: string): string =>
  `${isLitter(name) || DEVICE.test(name) ? '_' : ''}${name.replaceAll(UNSAFE, '_')}`

/** The path of a file in an archive. */
export const filePath = (id: string, name: string): string => `files/${id}/${portableName(name)}`
