import { createHash } from 'node:crypto'
import { FileStoreError, keyOf, LostBytesError, type ObjectRef, type ObjectStore } from './objects.ts'

/** Maximum number of bytes that one request to the store reads. */
const PIECE = 1_048_576

/** The bytes of a file in the store. */
export interface StoredFile extends ObjectRef {
  size: number
}

interface Options {
  /** Whether new files are written to the store. Otherwise they go to the database, and the store is only read. */
  takesNew: boolean
  /** Called when an object is missing or damaged. */
  onLost: (file: StoredFile, fault: LostBytesError['fault']) => void
}

/** Keeps the bytes of files outside the database. */
export class FileStore {
  readonly takesNew: boolean
  /** Answered and failed calls, and missing or damaged objects that were found, since startup. */
  readonly counts = { answers: 0, failures: 0, lost: 0 }
  readonly #objects: ObjectStore
  readonly #onLost: Options['onLost']
  /** Aborts when the store goes down. */
  #down = new AbortController()

  constructor(objects: ObjectStore, { takesNew, onLost }: Options) {
    this.#objects = objects
    this.takesNew = takesNew
    this.#onLost = onLost
  }

  /** False while the store does not respond. Calls then fail immediately. */
  get isUp(): boolean {
    return !this.#down.signal.aborted
  }

  /** Sets whether the store responds. If it does not, calls in progress fail too. */
  set isUp(isUp: boolean) {
    if (!isUp) this.#down.abort(new Error('The file store went down.'))
    else if (!this.isUp) this.#down = new AbortController()
  }

  /** Writes an object. @throws FileStoreError */
  put(ref: ObjectRef, bytes: Uint8Array): Promise<void> {
    return this.#run(signal => this.#objects.put(keyOf(ref), bytes, ref.digest, signal))
  }

  /** Deletes an object, if it exists. @throws FileStoreError */
  delete(ref: ObjectRef): Promise<void> {
    return this.#run(signal => this.#objects.delete(keyOf(ref), signal))
  }

  /**
   * Reads the bytes from `start` to `end`, both inclusive; by default all of them.
   *
   * @throws FileStoreError as {@link stream} does
   */
  async read(file: StoredFile, start = 0, end = file.size - 1): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.stream(file, start, end)) pieces.push(piece)
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
  }

  /**
   * Yields the bytes from `start` to `end`, both inclusive. Holds no connection to the store between two pieces. The
   * digest of a whole file is checked before its last piece is yielded, so that a damaged file never seems complete.
   *
   * @throws FileStoreError; LostBytesError if the object is missing, has another size, or has another digest
   */
  async *stream(file: StoredFile, start: number, end: number): AsyncGenerator<Buffer, void, void> {
    const hash = start === 0 && end === file.size - 1 ? createHash('sha256') : undefined
    for (let from = start; from <= end; from += PIECE) {
      const last = Math.min(end, from + PIECE - 1)
      const bytes = await this.#run(signal => this.#objects.read(keyOf(file), from, last, signal))
      if (!bytes) throw this.#lost(file, 'missing')
      hash?.update(bytes)
      const isIntact =
        bytes.length === last - from + 1 && (last < end || !hash || hash.digest().equals(file.digest))
      if (!isIntact) throw this.#lost(file, 'damaged')
      yield bytes
    }
  }

  /** Asks the store whether it can be used. @throws the reason if not */
  probe(): Promise<void> {
    return this.#objects.probe()
  }

  close(): void {
    this.#objects.close()
  }

  #lost(file: StoredFile, fault: LostBytesError['fault']): LostBytesError {
    this.counts.lost += 1
    this.#onLost(file, fault)
    return new LostBytesError(fault)
  }

  async #run<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.isUp) throw unavailable()
    try {
      const result = await call(this.#down.signal)
      this.counts.answers += 1
      return result
    } catch (error) {
      this.counts.failures += 1
      throw unavailable(error)
    }
  }
}

const unavailable = (cause?: unknown) => new FileStoreError('The file store does not respond.', { cause })

/** Returns the file store. @throws FileStoreError if there is none */
export const requireStore = (fileStore: FileStore | null): FileStore => {
  if (!fileStore) throw new FileStoreError('The file store is not configured.')
  return fileStore
}
