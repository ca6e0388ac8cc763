import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { droppedFiles } from './dropped-files.ts'

/** A dropped or pasted file and the name to store it under. */
export interface Incoming {
  file: File
  name: string
}

const withOwnNames = (files: Iterable<File>): Incoming[] =>
  Array.from(files, file => ({ file, name: file.name }))

/** Gives pasted pictures distinct names; browsers call each one `image.png`. */
export const nameOfPasted = (file: File, now: Date) => {
  const stamp = now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
  return /^image\.\w+$/.test(file.name) ? `pasted-${stamp}.${file.name.split('.')[1]}` : file.name
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

const UNREADABLE = {
  title: 'The folder could not be read',
  message: 'Open the folder and drop its files instead.',
}

/**
 * Calls `onFiles` with files and folders that are dropped anywhere in the window, and with pasted files.
 *
 * @returns whether files are being dragged over the window
 */
export const useIncomingFiles = (onFiles: (files: Incoming[]) => void): boolean => {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    // `dragenter` and `dragleave` fire for every element, so count how deep the pointer is.
    let depth = 0
    const end = () => {
      depth = 0
      setIsOver(false)
    }
    const onDrag = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      if (event.type === 'dragenter' && ++depth === 1) setIsOver(true)
      if (event.type === 'dragleave' && --depth <= 0) end()
    }
    const readDropped = async (dropped: DataTransfer) => {
      const files = await droppedFiles(dropped).catch(() => null)
      if (signal.aborted) return
      if (files) onFiles(withOwnNames(files))
      else notifications.show({ ...UNREADABLE, color: 'red', autoClose: false, role: 'alert' })
    }
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      end()
      if (event.dataTransfer) void readDropped(event.dataTransfer)
    }
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      onFiles(files.map(file => ({ file, name: nameOfPasted(file, new Date()) })))
    }
    for (const type of ['dragenter', 'dragover', 'dragleave'] as const)
      addEventListener(type, onDrag, { signal })
    addEventListener('drop', onDrop, { signal })
    addEventListener('paste', onPaste, { signal })
    return () => controller.abort()
  }, [onFiles])
  return isOver
}
