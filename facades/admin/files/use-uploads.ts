import { TRPCClientError } from '@trpc/client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { rules } from '../../../routers/core/rules.ts'
import { useSession } from '../session.ts'
import { useSpace } from '../use-space.ts'
import { refusalOf, type Storage } from './refusal.ts'
import { sendTo } from './send.ts'
import { createUploadQueue } from './upload-queue.ts'

/**
 * The uploads of this view. They end when the view goes.
 *
 * @param storage what is free, as far as it is known; the service decides
 */
export const useUploads = (storage: Storage | undefined) => {
  const { subdomain } = useSpace()
  const { handle } = useSession()
  const known = useRef(storage)
  known.current = storage
  const [queue] = useState(() =>
    createUploadQueue({
      refusalOf: (upload, others) =>
        known.current ? refusalOf(upload, others, known.current, rules.file.name_max_length) : null,
      send: sendTo(subdomain, handle),
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
