import { TRPCClientError } from '@trpc/client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { rules } from '../../../routers/rules.ts'
import { api, client, type Outputs, queries } from '../api.ts'
import { withProgress } from '../upload-link.ts'
import { useSpace } from '../use-space.ts'
import { readBase64 } from './read-base64.ts'
import { refusalOf, type Storage } from './refusal.ts'
import { createUploadQueue, type Upload } from './upload-queue.ts'

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

/** Sends one file, as a new one or in the place of another's content. */
const sendTo =
  (subdomain: string) =>
  async (upload: Upload, onProgress: (share: number) => void, signal: AbortSignal): Promise<void> => {
    const content = await readBase64(upload.file, signal)
    const options = { signal, context: withProgress(onProgress) }
    const file = { subdomain, content, encoding: 'base64' } as const
    try {
      const stored = upload.replaces
        ? await client.files.update.mutate({ ...file, file_id: upload.replaces.id }, options)
        : await client.files.create.mutate({ ...file, name: upload.name }, options)
      showStored(subdomain, stored)
    } finally {
      // What was cancelled or lost on the way back may have arrived all the same.
      void queries.invalidateQueries(api.files.pathFilter())
    }
  }

/**
 * The uploads of this view. They end when the view goes.
 *
 * @param storage what is free, as far as it is known; the service decides
 */
export const useUploads = (storage: Storage | undefined) => {
  const { subdomain } = useSpace()
  const known = useRef(storage)
  known.current = storage
  const [queue] = useState(() =>
    createUploadQueue({
      refusalOf: (upload, others) =>
        known.current ? refusalOf(upload, others, known.current, rules.file.name_max_length) : null,
      send: sendTo(subdomain),
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
