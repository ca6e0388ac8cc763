/** The embedded database can't be used here; the message says why and what to do about it. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

/** The way out that is open to everybody: a database of one's own. */
export const useAnother = 'set DATABASE_URL to a PostgreSQL of your own (15 or newer)'

const fullDisk = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/

/**
 * Turns a failure of the file system or of a PostgreSQL program into an error for people.
 * @param path what was being read or written
 * @param failure what was thrown, or the program's own words
 */
export function explain(path: string, failure: unknown): EmbeddedPostgresError {
  if (failure instanceof EmbeddedPostgresError) return failure
  const words = failure instanceof Error ? failure.message : String(failure)
  const advice = adviceFor(path, words, codeOf(failure))
  return new EmbeddedPostgresError(`${advice} (${words})`, { cause: failure })
}

function adviceFor(path: string, words: string, code = ''): string {
  if (fullDisk.test(words)) return `The disk that holds ${path} is full: make room and start again.`
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    return `This user may not use ${path}: give it the right to, choose another data folder, or ${useAnother}.`
  }
  if (['ENOTDIR', 'EEXIST'].includes(code)) {
    return `${path} can't be a data folder, a file is in its way: move the file, or choose another data folder.`
  }
  if (code === 'ENOENT') return `${path} can't be made here: choose another data folder.`
  if (/could not look up effective user ID/.test(words)) {
    return `PostgreSQL needs a user with a name: give this one a line in /etc/passwd, or ${useAnother}.`
  }
  return `The database in ${path} could not be started.`
}

/** The system's code of an error (such as ENOENT), if it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
