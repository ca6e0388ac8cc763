import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'

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

const childrenOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    // Each call returns one batch; an empty one ends the list.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (batch.length === 0) return children
    children.push(...batch)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const filesIn = async (entry: FileSystemEntry): Promise<File[]> => {
  if (isFile(entry))
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))].filter(
      // Skips hidden files such as .DS_Store.
      ({ name }) => !name.startsWith('.'),
    )
  if (!isFolder(entry)) return []
  const files: File[] = []
  for (const child of await childrenOf(entry)) files.push(...(await filesIn(child)))
  return files
}

/**
 * Returns the dropped files and the files in dropped folders, except hidden files in folders. Must be called while the
 * drop event is being handled. Rejects if a folder cannot be read.
 */
export const droppedFiles = async ({ items, files }: DataTransfer): Promise<File[]> => {
  const entries = Array.from(items, item => item.webkitGetAsEntry())
  const folders = entries.filter(entry => entry !== null).filter(isFolder)
  const single = Array.from(files).filter(({ name }) => !folders.some(folder => folder.name === name))
  for (const folder of folders) single.push(...(await filesIn(folder)))
  return single
}
