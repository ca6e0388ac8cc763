import { api, client, type Outputs, queries } from '../api.ts'
import { withProgress } from '../upload-link.ts'
import { readBase64 } from './read-base64.ts'
import type { Upload, UploadTools } from './upload-queue.ts'

type StoredFile = Outputs['files']['create']

/** Called with an upload and the file that it has stored. */
export type OnStored = (upload: Upload, stored: StoredFile) => void

/** Adds a stored file to the cached list, or updates it there. */
const showStored = (subdomain: string, stored: StoredFile) =>
  queries.setQueryData(api.files.list.queryKey({ subdomain }), list => {
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
      const list = queries.getQueryData(api.files.list.queryKey({ subdomain }))
      existing.set(id, new Set(list?.data.map(({ id }) => id)))
      return undefined
    }
    const { data } = await client.files.list.query({ subdomain }, { signal })
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
    const options = { signal, context: withProgress(onProgress) }
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
        ? await client.files.update.mutate({ ...file, file_id: replaces.id }, options)
        : await client.files.create.mutate({ ...file, name }, options)
      uploaded.add(stored.id)
      showStored(subdomain, stored)
      onStored(upload, stored)
    } finally {
      // Refetch, because a cancelled or failed upload may have been stored anyway.
      void queries.invalidateQueries(api.files.pathFilter())
    }
  }
}
