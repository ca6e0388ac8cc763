import { TRPCClientError } from '@trpc/client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import { api, type Outputs, queryClient, rpc, type UploadContext } from '../api.ts'
import { useSession } from '../session.ts'
import { formatBytes } from '../ui/numbers.ts'
import { createUploadQueue, type Refusal, type Upload, type UploadTools } from './upload-queue.ts'

/**
 * The uploads of this view to a space. They are aborted when the view is closed.
 *
 * @param onStored called with each stored file
 * @param storage the usage and limits of the space, which are checked before a file is sent; undefined while
 * loading
 */
export const useUploads = (
  subdomain: string,
  storage: Storage | undefined,
  onStored: OnStored = () => {},
) => {
  const { handle } = useSession()
  const known = useRef(storage)
  known.current = storage
  const stored = useRef(onStored)
  stored.current = onStored
  const [queue] = useState(() =>
    createUploadQueue({
      refusalFor: (upload, others) =>
        known.current ? refusalFor(upload, others, known.current, rules.file.name_max_length) : null,
      send: createFileSender(subdomain, handle, (...given) => stored.current(...given)),
    }),
  )
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)
  useEffect(() => queue.stop, [queue])
  useEffect(() => {
    const onOffline = () => queue.interrupt(new TRPCClientError('The connection was lost'))
    addEventListener('offline', onOffline)
    return () => removeEventListener('offline', onOffline)
  }, [queue])
  return { uploads, queue }
}

export type Storage = Outputs['files']['list']['storage']

/** Bytes that an upload will add to the storage used. */
const growth = ({ file, replaces }: Upload) => file.size - (replaces?.size ?? 0)

const final = (reason: string): Refusal => ({ reason, isFinal: true })

/** Formats a size above the limit, so that rounding never makes it look equal to the limit. */
const sizeAboveLimit = (size: number, { file_max_bytes }: Storage) =>
  formatBytes(size) === formatBytes(file_max_bytes) ? 'slightly larger' : formatBytes(size)

/**
 * Checks an upload against the limits before it is sent.
 *
 * @param others other uploads that are waiting or being sent
 * @param nameMax maximum length of a name in characters
 * @returns why the service would refuse the file and what to do, or null
 */
export const refusalFor = (
  upload: Upload,
  others: Upload[],
  storage: Storage,
  nameMax: number,
): Refusal | null => {
  const { size } = upload.file
  if (size === 0) return final('The file is empty.')
  if (size > storage.file_max_bytes)
    return final(
      `Files can be up to ${formatBytes(storage.file_max_bytes)}; this one is ${sizeAboveLimit(size, storage)}.`,
    )
  if (Array.from(upload.name).length > nameMax)
    return final(`The name is longer than ${nameMax} characters. Rename the file, then upload it again.`)
  const taken = others.reduce((sum, other) => sum + Math.max(0, growth(other)), storage.used)
  const free = Math.max(0, storage.quota - taken)
  if (growth(upload) > free)
    return {
      reason: `Not enough storage: this file is ${formatBytes(size)}, free space is ${formatBytes(free)}. Delete files you no longer need, then try again.`,
      isFinal: false,
    }
  return null
}

type StoredFile = Outputs['files']['create']

/** Called with an upload and the file that it has stored. */
export type OnStored = (upload: Upload, stored: StoredFile) => void

/** Adds a stored file to the cached list, or updates it there. */
const showStored = (subdomain: string, stored: StoredFile) =>
  queryClient.setQueryData(api.files.list.queryKey({ subdomain }), list => {
    if (!list) return list
    const before = list.data.find(({ id }) => id === stored.id)
    const data = before ? list.data.map(file => (file === before ? stored : file)) : [stored, ...list.data]
    const used = list.storage.used + stored.size - (before?.size ?? 0)
    return { data, storage: { ...list.storage, used } }
  })

/**
 * Returns a function that uploads one file, as a new file or as the new content of an existing one.
 *
 * @param handle the signed-in person's handle
 */
export const createFileSender = (
  subdomain: string,
  handle: string,
  onStored: OnStored,
): UploadTools['send'] => {
  /** Maps an upload's id to the ids of the files that existed before its first attempt. */
  const existing = new Map<number, Set<string>>()
  /** Ids of the files that this view has uploaded. */
  const uploaded = new Set<string>()

  /** Finds the file that an earlier attempt stored, if the response was lost. Sending it again would duplicate it. */
  const findEarlierUpload = async ({ id, name, file }: Upload, signal: AbortSignal) => {
    const known = existing.get(id)
    if (!known) {
      const list = queryClient.getQueryData(api.files.list.queryKey({ subdomain }))
      existing.set(id, new Set(list?.data.map(({ id }) => id)))
      return undefined
    }
    const { data } = await rpc.files.list.query({ subdomain }, { signal })
    return data.find(
      stored =>
        stored.name === name &&
        stored.size === file.size &&
        stored.uploaded_by === handle &&
        !known.has(stored.id) &&
        !uploaded.has(stored.id),
    )
  }

  return async (upload, onProgress, signal) => {
    const options = { signal, context: { onSent: onProgress } satisfies UploadContext }
    const { name, replaces } = upload
    try {
      const earlier = replaces ? undefined : await findEarlierUpload(upload, signal)
      if (earlier) {
        uploaded.add(earlier.id)
        return onStored(upload, earlier)
      }
      const content = await readBase64(upload.file, signal)
      const file = { subdomain, content, encoding: 'base64' } as const
      const stored = replaces
        ? await rpc.files.update.mutate({ ...file, file_id: replaces.id }, options)
        : await rpc.files.create.mutate({ ...file, name }, options)
      uploaded.add(stored.id)
      showStored(subdomain, stored)
      onStored(upload, stored)
    } finally {
      // Refetch, because a cancelled or failed upload may have been stored anyway.
      void queryClient.invalidateQueries(api.files.pathFilter())
    }
  }
}

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
