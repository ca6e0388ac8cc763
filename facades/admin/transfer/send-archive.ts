import { TRPCClientError } from '@trpc/client'
import type { AppRouter } from '../../../routers/index.ts'
import { type Outputs, root } from '../api.ts'

/** What an import does or would do. */
export type ImportResult = Outputs['transfer']['import']

/** Returns the address from which an archive of the space is downloaded. */
export const archiveAddress = (subdomain: string): string => new URL(`transfer/${subdomain}`, root).href

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
    const address = new URL(archiveAddress(subdomain))
    if (deleteMissing) address.searchParams.set('delete_missing', '1')
    if (plan !== undefined) address.searchParams.set('plan', plan)
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('load', () => {
      if (request.status === 200) return resolve(request.response as ImportResult)
      const problem: unknown = request.response
      const retryAfter = Number(request.getResponseHeader('retry-after')) || undefined
      const data = problem ? { problem, retryAfter } : undefined
      reject(TRPCClientError.from<AppRouter>({ error: { message: 'refused', code: -32_000, data } } as never))
    })
    request.addEventListener('error', () => reject(TRPCClientError.from<AppRouter>(new Error('unreachable'))))
    request.send(file)
  })
