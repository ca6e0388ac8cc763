import { useQuery } from '@tanstack/react-query'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { api, queries } from '../api.ts'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { Uploads } from '../files/Uploads.tsx'
import { isRunning, type Upload } from '../files/upload-queue.ts'
import { nameOfPasted } from '../files/use-incoming-files.ts'
import { useUploads } from '../files/use-uploads.ts'
import { freeName } from './free-name.ts'
import { NameTaken } from './NameTaken.tsx'

/** Pictures, and a function that inserts the address of each. */
export interface IncomingPictures {
  pictures: File[]
  onStored: (url: string) => void
}

/** Uploads pictures to the space. */
export interface PictureUploader {
  add: (incoming: IncomingPictures) => void
}

interface Waiting {
  file: File
  name: string
  replaces: Upload['replaces']
  onStored: (url: string) => void
}

const LEAVE_WARNING = {
  title: 'Stop uploading?',
  text: 'Pictures that are still uploading will not be saved.',
}

/** Uploads pictures to the files of a space and shows their progress. Asks what to do if a name is taken. */
export const PictureUploads = ({ subdomain, ref }: { subdomain: string; ref: Ref<PictureUploader> }) => {
  const list = useQuery(api.files.list.queryOptions({ subdomain }))
  const callbacks = useRef(new Map<File, Waiting['onStored']>()).current
  const { uploads, queue } = useUploads(subdomain, list.data?.storage, ({ file }, { url }) =>
    callbacks.get(file)?.(url),
  )
  // Pictures whose names are taken; the dialog asks about the first one.
  const [asked, setAsked] = useState<Waiting[]>([])
  const guard = useLeaveGuard(uploads.some(isRunning), LEAVE_WARNING)

  const start = ({ file, name, replaces, onStored }: Waiting) => {
    callbacks.set(file, onStored)
    queue.add([{ file, name, replaces }])
  }
  const add = async ({ pictures, onStored }: IncomingPictures) => {
    // If the list can't be loaded, another error message says so. The service still accepts the file.
    const files = await queries
      .query(api.files.list.queryOptions({ subdomain }))
      .then(({ data }) => data)
      .catch(() => [])
    const waiting = pictures.map(file => {
      const name = nameOfPasted(file, new Date())
      return { file, name, replaces: files.find(stored => stored.name === name) ?? null, onStored }
    })
    for (const each of waiting) if (!each.replaces) start(each)
    setAsked(before => [...before, ...waiting.filter(({ replaces }) => replaces)])
  }
  const latest = useRef(add)
  latest.current = add
  useImperativeHandle(ref, () => ({ add: incoming => void latest.current(incoming) }), [])

  const [first] = asked
  const taken = new Set([...(list.data?.data ?? []), ...uploads].map(({ name }) => name))
  const answer = (chosen: Waiting | null) => {
    if (chosen) start(chosen)
    setAsked(asked.slice(1))
  }
  return (
    <>
      {guard}
      <Uploads uploads={uploads} queue={queue} />
      {first && (
        <NameTaken
          key={asked.length}
          name={first.name}
          otherName={freeName(first.name, taken)}
          onReplace={() => answer(first)}
          onKeepBoth={() => answer({ ...first, name: freeName(first.name, taken), replaces: null })}
          onCancel={() => answer(null)}
        />
      )}
    </>
  )
}
