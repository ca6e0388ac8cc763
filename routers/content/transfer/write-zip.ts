import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Options, ZipFile } from 'yazl'
import { callerGone, requireCaller } from './read-entry.ts'

/**
 * Writes a zip archive to a file. Sending it directly would let a slow client hold open the transaction that reads the
 * content.
 *
 * @param file path of the archive, which is created
 * @param signal aborts when the caller has closed the connection
 * @param add adds the content
 * @throws `unavailable` after an abort, and what `add` throws
 */
export const writeZip = async (
  file: string,
  signal: AbortSignal | undefined,
  add: (zip: ZipFile) => Promise<void>,
): Promise<void> => {
  const zip = new ZipFile()
  const written = pipeline(zip.outputStream, createWriteStream(file, { mode: 0o600 }))
  // Awaited below. Until then, an error must not count as an unhandled rejection.
  written.catch(() => {})
  const fail = (error: Error) => (zip.outputStream as Readable).destroy(error)
  zip.on('error', fail)
  signal?.addEventListener('abort', () => fail(callerGone()))
  try {
    requireCaller(signal)
    await add(zip)
  } catch (error) {
    // Without this, the file would stay open.
    fail(error as Error)
    throw error
  }
  zip.end()
  await written
}

/** Adds a file. `read` returns the content, and is called only when it is the file's turn to be written. */
export const addLazily = (
  zip: ZipFile,
  path: string,
  read: () => Promise<string | Uint8Array>,
  options: Partial<Options> = {},
): void => {
  async function* content() {
    // The library goes on with the next file after a failure, but then the transaction that `read` uses may have ended.
    if ((zip.outputStream as Readable).destroyed) throw new Error('Writing the archive has failed')
    yield Buffer.from((await read()) as string)
  }
  zip.addReadStreamLazy(path, options, callback => {
    const stream = Readable.from(content())
    // The library does not listen for errors of streams, and an unhandled one would end the process.
    stream.on('error', error => zip.emit('error', error))
    callback(null, stream)
  })
}
