import path from 'node:path'
import mime from 'mime'

/** The type of a file without a known extension. */
const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Returns the content type for a name's extension; neither the content nor the uploader decides it. A name like `png`
 * or `.png` has no extension.
 */
export const contentTypeOf = (name: string): string => mime.getType(path.posix.extname(name)) ?? UNKNOWN_TYPE
