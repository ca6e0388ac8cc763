/** A request failed because of the file store. The message is for callers; the cause says what went wrong. */
export class FileStoreError extends Error {
  override name = 'FileStoreError'
}

/** An object is missing or damaged. */
export class LostBytesError extends FileStoreError {
  override name = 'LostBytesError'
  readonly fault: 'missing' | 'damaged'

  constructor(fault: LostBytesError['fault']) {
    super('The bytes of this file cannot be read now.')
    this.fault = fault
  }
}
