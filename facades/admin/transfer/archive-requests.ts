import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'
import { type Outputs, root } from '../api.ts'
import { fetchWithProgress } from '../fetch-with-progress.ts'

/** What an import does or would do. */
export type ImportResult = Outputs['transfer']['import']

/** Sends a request about the archive of a space. @throws the same errors as a tRPC call, or why it was aborted */
const request = async (path: string, options: Parameters<typeof fetchWithProgress>[1]): Promise<Response> => {
  const response = await fetchWithProgress(new URL(`transfer/${path}`, root), options).catch(
    (error: unknown) => {
      throw options.signal?.aborted ? error : TRPCClientError.from<AppRouter>(error as Error)
    },
  )
  if (response.status === 200) return response
  const problem: unknown = await response.json().catch(() => null)
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  const data = problem ? { problem, retryAfter } : undefined
  throw TRPCClientError.from<AppRouter>({ error: { message: 'refused', code: -32_000, data } } as never)
}

interface Archive {
  subdomain: string
  file: File
  deleteMissing: boolean
  /** The id of the plan that the person has confirmed; undefined for a preview. */
  plan?: string
  /** Called with the fraction that has been sent, from 0 to 1. */
  onSent: (fraction: number) => void
}

/** Uploads an archive. Rejects with the same errors as a tRPC call. */
export const sendArchive = async ({
  subdomain,
  file,
  deleteMissing,
  plan,
  onSent,
}: Archive): Promise<ImportResult> => {
  const query = new URLSearchParams(deleteMissing ? { delete_missing: '1' } : {})
  if (plan !== undefined) query.set('plan', plan)
  const response = await request(`${subdomain}?${query}`, { method: 'POST', body: file, onSent })
  return (await response.json()) as ImportResult
}

/** Returns the content of a response, with the file name that it suggests. */
const fileOf = async (response: Response, fallbackName: string) => ({
  name: /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? fallbackName,
  content: await response.blob(),
})

/**
 * Exports a space. Rejects with the same errors as a tRPC call, and with an `AbortError` if it is cancelled.
 *
 * @param onReceived called with the numbers of bytes received and expected, once the service has created the archive
 */
export const receiveArchive = async (
  subdomain: string,
  onReceived: (loaded: number, total: number) => void,
  signal: AbortSignal,
) => fileOf(await request(subdomain, { onReceived, signal }), `${subdomain}.zip`)

/** Downloads files of a space as one archive. Rejects as {@link receiveArchive} does. */
export const receiveFiles = async (subdomain: string, fileIds: string[], signal: AbortSignal) =>
  fileOf(
    await request(`${subdomain}/files`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ file_ids: fileIds }),
      signal,
    }),
    `${subdomain}-files.zip`,
  )
