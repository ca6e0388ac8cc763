/** Identifies an object: one copy of the bytes with this digest, stored for this space. */
export interface ObjectRef {
  spaceId: string
  /** SHA-256 of the bytes. */
  digest: Uint8Array
  /** The id of the object, which is never used twice. */
  object: string
}

/** The name of an object in the store. */
export const keyOf = ({ spaceId, digest, object }: ObjectRef): string =>
  `${spaceId}/${Buffer.from(digest).toString('hex')}/${object}`

/**
 * A store for objects, such as an S3 bucket. An object is written once and never changed. Each call has a time limit
 * and repeats failed requests itself; it rejects with an `Error` if the store did not carry out the request, or if the
 * signal aborts.
 */
export interface ObjectStore {
  /** Writes an object. The store must refuse bytes that don't have this SHA-256. */
  put(key: string, bytes: Uint8Array, digest: Uint8Array, signal: AbortSignal): Promise<void>
  /**
   * Reads the bytes from `start` to `end`, both inclusive. Returns fewer if the object is shorter, and undefined if there
   * is no such object.
   */
  read(key: string, start: number, end: number, signal: AbortSignal): Promise<Buffer | undefined>
  /** Deletes an object. Deleting an object that does not exist is not an error. */
  delete(key: string, signal: AbortSignal): Promise<void>
  /** Resolves if the store responds and accepts our credentials. */
  probe(): Promise<void>
  close(): void
}

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
