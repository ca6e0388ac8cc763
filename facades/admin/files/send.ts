import { api, client, type Outputs, queries } from '../api.ts'
import { withProgress } from '../upload-link.ts'
import { readBase64 } from './read-base64.ts'
import type { Upload, UploadTools } from './upload-queue.ts'

type StoredFile = Outputs['files']['create']

/** Shows a stored file at once, in front of the others or in the place of what it was. */
const showStored = (subdomain: string, stored: StoredFile) =>
  queries.setQueryData(api.files.list.queryKey({ subdomain }), list => {
    if (!list) return list
    const before = list.data.find(({ id }) => id === stored.id)
    const data = before ? list.data.map(file => (file === before ? stored : file)) : [stored, ...list.data]
    const used = list.storage.used + stored.size - (before?.size ?? 0)
    return { data, storage: { ...list.storage, used } }
  })

/**
 * Makes what sends one file, as a new one or in the place of another's content.
 *
 * @param handle of the person who uploads
 */
export const sendTo = (subdomain: string, handle: string): UploadTools['send'] => {
  /** Files that were there before an upload was tried for the first time, by the upload's id. */
  const before = new Map<number, Set<string>>()
  /** Files that uploads of this view have become. */
  const made = new Set<string>()

  /** A new file may have arrived although the answer was lost; sent once more, it would be there twice. */
  const arrivedEarlier = async ({ id, name, file }: Upload, signal: AbortSignal) => {
    const known = before.get(id)
    if (!known) {
      const list = queries.getQueryData(api.files.list.queryKey({ subdomain }))
      before.set(id, new Set(list?.data.map(({ id }) => id)))
      return undefined
    }
    const { data } = await client.files.list.query({ subdomain }, { signal })
    return data.find(
      stored =>
        stored.name === name &&
        stored.size === file.size &&
        stored.uploaded_by === handle &&
        !known.has(stored.id) &&
        !made.has(stored.id),
    )
  }

  return async (upload, onProgress, signal) => {
    const options = { signal, context: withProgress(onProgress) }
    const { name, replaces } = upload
    try {
      const earlier = replaces ? undefined : await arrivedEarlier(upload, signal)
      if (earlier) return void made.add(earlier.id)
      const content = await readBase64(upload.file, signal)
      const file = { subdomain, content, encoding: 'base64' } as const
      const stored = replaces
        ? await client.files.update.mutate({ ...file, file_id: replaces.id }, options)
        : await client.files.create.mutate({ ...file, name }, options)
      made.add(stored.id)
      showStored(subdomain, stored)
    } finally {
      // What was cancelled or lost on the way back may have arrived all the same.
      void queries.invalidateQueries(api.files.pathFilter())
    }
  }
}
