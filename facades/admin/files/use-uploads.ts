import { TRPCClientError } from '@trpc/client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import { useSession } from '../session.ts'
import { createFileSender, type OnStored } from './send-file.ts'
import { createUploadQueue } from './upload-queue.ts'
import { refusalFor, type Storage } from './upload-refusal.ts'

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
