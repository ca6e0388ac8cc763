/** A local file could not be read. */
export class UnreadableFileError extends Error {
  override name = 'UnreadableFileError'
}

/**
 * Reads a file as base64. `FileReader` works off the main thread, so a file of 10 MiB does not block the page.
 *
 * @throws UnreadableFileError if the file was moved or changed after it was chosen
 */
export const readBase64 = (file: File, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    const abort = () => reader.abort()
    reader.addEventListener('load', () => {
      const url = reader.result as string
      resolve(url.slice(url.indexOf(',') + 1))
    })
    reader.addEventListener('error', () => reject(new UnreadableFileError(file.name)))
    reader.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
    reader.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    reader.readAsDataURL(file)
  })
