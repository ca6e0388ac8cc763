/** A backup could not be written or restored. The message tells the operator why, and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
