import { TRPCClientError } from '@trpc/client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { rules } from '../../../routers/core/rules.ts'
import { useSession } from '../session.ts'
import { useSpace } from '../use-space.ts'
import { createFileSender } from './send-file.ts'
import { createUploadQueue } from './upload-queue.ts'
import { refusalFor, type Storage } from './upload-refusal.ts'

/**
 * The uploads of this view. They are aborted when the view is closed.
 *
 * @param storage used to refuse files before they are sent; undefined while it is loading
 */
export const useUploads = (storage: Storage | undefined) => {
  const { subdomain } = useSpace()
  const { handle } = useSession()
  const known = useRef(storage)
  known.current = storage
  const [queue] = useState(() =>
    createUploadQueue({
      refusalFor: (upload, others) =>
        known.current ? refusalFor(upload, others, known.current, rules.file.name_max_length) : null,
      send: createFileSender(subdomain, handle),
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
