/** A request failed because of the file store. The message is for callers; the cause says what went wrong. */
export class FileStoreError extends Error {
  override name = 'FileStoreError'
}

/** The database refers to a file store, but none is configured. The message tells the operator what to do. */
export class MissingFileStoreError extends Error {
  override name = 'MissingFileStoreError'

  constructor() {
    super(
      'Files of this database are in a file store. Set FILE_STORE_URL and the other FILE_STORE_ variables as before.',
    )
  }
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
