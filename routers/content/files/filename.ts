import path from 'node:path'
import mime from 'mime'

/** The type of a file without a known extension. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** The control characters C0, DEL and C1. */
const CONTROL_CHARACTERS = /\p{Cc}/gu

/** Removes a path and control characters from a file name (contract: "file name"). */
export const cleanName = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).replace(CONTROL_CHARACTERS, '')

/**
 * Returns the content type for a name's extension; neither the content nor the uploader decides it. A name like `png`
 * or `.png` has no extension.
 */
export const contentTypeOf = (name: string): string => mime.getType(path.posix.extname(name)) ?? UNKNOWN_TYPE
