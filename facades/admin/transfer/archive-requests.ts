import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'
import { type Outputs, root } from '../api.ts'

/** What an import does or would do. */
export type ImportResult = Outputs['transfer']['import']

const archiveAddress = (subdomain: string) => new URL(`transfer/${subdomain}`, root)

/** Returns the error of a refused request, in the form of a tRPC error. */
const refusal = (request: XMLHttpRequest, problem: unknown) => {
  const retryAfter = Number(request.getResponseHeader('retry-after')) || undefined
  const data = problem ? { problem, retryAfter } : undefined
  return TRPCClientError.from<AppRouter>({ error: { message: 'refused', code: -32_000, data } } as never)
}

const unreachable = () => TRPCClientError.from<AppRouter>(new Error('unreachable'))

interface Archive {
  subdomain: string
  file: File
  deleteMissing: boolean
  /** The id of the plan that the person has confirmed; undefined for a preview. */
  plan?: string
  /** Called with the fraction that has been sent, from 0 to 1. */
  onProgress: (fraction: number) => void
}

/** Uploads an archive. Rejects with the same errors as a tRPC call. */
export const sendArchive = ({
  subdomain,
  file,
  deleteMissing,
  plan,
  onProgress,
}: Archive): Promise<ImportResult> =>
  new Promise((resolve, reject) => {
    const address = archiveAddress(subdomain)
    if (deleteMissing) address.searchParams.set('delete_missing', '1')
    if (plan !== undefined) address.searchParams.set('plan', plan)
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('load', () => {
      if (request.status === 200) return resolve(request.response as ImportResult)
      reject(refusal(request, request.response))
    })
    request.addEventListener('error', () => reject(unreachable()))
    request.send(file)
  })

/** The file name that a response suggests. */
const nameOf = (request: XMLHttpRequest) =>
  /filename="([^"]+)"/.exec(request.getResponseHeader('content-disposition') ?? '')?.[1]

/** A file that has been received. */
export interface ReceivedArchive {
  name: string
  content: Blob
}

/** Called with the numbers of bytes received and expected, once the service has created the archive. */
type OnReceived = (loaded: number, total: number) => void

/** Exports a space. Rejects with the same errors as a tRPC call, and with an `AbortError` if it is cancelled. */
export const receiveArchive = (
  subdomain: string,
  onProgress: OnReceived,
  signal: AbortSignal,
): Promise<ReceivedArchive> =>
  receive({ address: archiveAddress(subdomain), fallbackName: `${subdomain}.zip`, onProgress, signal })

/** Downloads files of a space as one archive. Rejects as {@link receiveArchive} does. */
export const receiveFiles = (
  subdomain: string,
  fileIds: string[],
  signal: AbortSignal,
): Promise<ReceivedArchive> =>
  receive({
    address: new URL(`transfer/${subdomain}/files`, root),
    body: JSON.stringify({ file_ids: fileIds }),
    fallbackName: `${subdomain}-files.zip`,
    signal,
  })

interface ArchiveRequest {
  address: URL
  /** JSON to send. */
  body?: string
  fallbackName: string
  onProgress?: OnReceived
  signal: AbortSignal
}

const receive = ({
  address,
  body,
  fallbackName,
  onProgress,
  signal,
}: ArchiveRequest): Promise<ReceivedArchive> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(body === undefined ? 'GET' : 'POST', address)
    if (body !== undefined) request.setRequestHeader('content-type', 'application/json')
    // The browser keeps large blobs on disk.
    request.responseType = 'blob'
    request.addEventListener('progress', ({ loaded, total }) => {
      if (request.status === 200) onProgress?.(loaded, total)
    })
    request.addEventListener('load', () => {
      const content = request.response as Blob
      if (request.status === 200) resolve({ name: nameOf(request) ?? fallbackName, content })
      else
        void content
          .text()
          .then(JSON.parse)
          .catch(() => null)
          .then((problem: unknown) => reject(refusal(request, problem)))
    })
    request.addEventListener('error', () => reject(unreachable()))
    request.addEventListener('abort', () => reject(signal.reason))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body ?? null)
  })
