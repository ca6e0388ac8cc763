import path from 'node:path'
import mime from 'mime'

/** What a file is served as when its extension says nothing. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** C0, DEL and C1. */
const CONTROL_CHARACTERS = /\p{Cc}/gu

/** A name without the path before it and without control characters (contract: "file name"). */
export const cleanName = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).replace(CONTROL_CHARACTERS, '')

/**
 * The content type that a name's extension stands for; never taken from the content or from the uploader.
 * A name like `png` or `.png` has no extension.
 */
export const contentTypeOf = (name: string): string => mime.getType(path.posix.extname(name)) ?? UNKNOWN_TYPE
