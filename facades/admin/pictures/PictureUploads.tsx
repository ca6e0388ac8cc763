import { useQuery } from '@tanstack/react-query'
import { type Ref, useImperativeHandle, useRef } from 'react'
import { api } from '../api.ts'
import { Uploads } from '../files/Uploads.tsx'
import { isRunning } from '../files/upload-queue.ts'
import { nameOfPasted } from '../files/use-incoming-files.ts'
import { useTakenNames } from '../files/use-taken-names.tsx'
import { useUploads } from '../files/use-uploads.ts'
import { useLeaveGuard } from '../ui/use-leave-guard.tsx'
import type { StoredPicture } from './stored-picture.ts'

/** Pictures to upload. `onStored` is called with each. */
export interface IncomingPictures {
  pictures: File[]
  onStored: (picture: StoredPicture) => void
}

/** Uploads pictures to the space. */
export interface PictureUploader {
  add: (incoming: IncomingPictures) => void
}

/** A picture to upload. */
interface Waiting {
  file: File
  name: string
  onStored: IncomingPictures['onStored']
}

const LEAVE_WARNING = {
  title: 'Stop uploading?',
  text: 'Pictures that are still uploading will not be saved.',
}

/** Uploads pictures to the files of a space and shows their progress. Asks what to do if a name is taken. */
export const PictureUploads = ({ subdomain, ref }: { subdomain: string; ref: Ref<PictureUploader> }) => {
  const list = useQuery(api.files.list.queryOptions({ subdomain }))
  const callbacks = useRef(new Map<File, Waiting['onStored']>()).current
  const { uploads, queue } = useUploads(subdomain, list.data?.storage, ({ file }, stored) =>
    callbacks.get(file)?.(stored),
  )
  const guard = useLeaveGuard(uploads.some(isRunning), LEAVE_WARNING)
  const { add, dialog } = useTakenNames<Waiting>(subdomain, uploads, files => {
    for (const { file, onStored } of files) callbacks.set(file, onStored)
    queue.add(files)
  })
  useImperativeHandle(
    ref,
    () => ({
      add: ({ pictures, onStored }) =>
        add(pictures.map(file => ({ file, name: nameOfPasted(file, new Date()), onStored }))),
    }),
    [add],
  )
  return (
    <>
      {guard}
      <Uploads uploads={uploads} queue={queue} />
      {dialog}
    </>
  )
}
