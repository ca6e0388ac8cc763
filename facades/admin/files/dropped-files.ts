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
