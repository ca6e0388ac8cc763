/** A file of the person's computer could not be read. */
export class UnreadableFileError extends Error {
  override name = 'UnreadableFileError'
}

/**
 * A file's bytes as base64. The browser does it beside the screen's own thread, so that 10 MiB do not hold it up.
 *
 * @throws UnreadableFileError when the file was moved or changed after it had been chosen
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
