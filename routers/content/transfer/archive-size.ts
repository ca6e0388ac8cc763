import { type CreationLimits, limits, rules } from '../../core/rules.ts'

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
