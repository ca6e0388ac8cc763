import { OperatorError } from '../operator-error.ts'

/** The embedded database can't be used here; the message says why and how to fix it. */
export class EmbeddedPostgresError extends OperatorError {
  override name = 'EmbeddedPostgresError'
}

/** The advice that always works: use another database. */
export const useOtherDatabase = 'set DATABASE_URL to your own PostgreSQL (15 or newer)'

const fullDisk = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/

/**
 * Turns a failure of the file system or of a PostgreSQL program into an error with advice.
 * @param path the file or folder in use
 * @param failure what was thrown, or the program's output
 */
export function explain(path: string, failure: unknown): EmbeddedPostgresError {
  if (failure instanceof EmbeddedPostgresError) return failure
  const reason = failure instanceof Error ? failure.message : String(failure)
  const advice = adviceFor(path, reason, codeOf(failure))
  return new EmbeddedPostgresError(`${advice} (${reason})`, { cause: failure })
}

function adviceFor(path: string, reason: string, code = ''): string {
  if (fullDisk.test(reason)) return `The disk that holds ${path} is full: free some space and start again.`
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    return `This user can't access ${path}: grant access, choose another data folder, or ${useOtherDatabase}.`
  }
  if (['ENOTDIR', 'EEXIST'].includes(code)) {
    return `${path} can't be a data folder because it is a file: move the file, or choose another data folder.`
  }
  if (code === 'ENOENT') return `${path} can't be created: choose another data folder.`
  if (/could not look up effective user ID/.test(reason)) {
    return `PostgreSQL needs a user with a name: add this user to /etc/passwd, or ${useOtherDatabase}.`
  }
  return `The database in ${path} could not be started.`
}

/** An error's system code, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
