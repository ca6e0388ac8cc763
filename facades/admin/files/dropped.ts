const childrenOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    // It gives a part at a time, and nothing once it has given all.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return children
    children.push(...some)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const filesIn = async (entry: FileSystemEntry): Promise<File[]> => {
  if (isFile(entry))
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))].filter(
      // What systems leave in folders for themselves.
      ({ name }) => !name.startsWith('.'),
    )
  if (!isFolder(entry)) return []
  const files: File[] = []
  for (const child of await childrenOf(entry)) files.push(...(await filesIn(child)))
  return files
}

/**
 * The files that are dropped, with those in folders, but for hidden ones there. To be called while the event is being
 * handled. Rejects when a folder cannot be read.
 */
export const droppedFiles = async ({ items, files }: DataTransfer): Promise<File[]> => {
  const entries = Array.from(items, item => item.webkitGetAsEntry())
  const folders = entries.filter(entry => entry !== null).filter(isFolder)
  const single = Array.from(files).filter(({ name }) => !folders.some(folder => folder.name === name))
  for (const folder of folders) single.push(...(await filesIn(folder)))
  return single
}
