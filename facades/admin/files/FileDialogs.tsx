import type { Outputs } from '../api.ts'
import { DeleteFile } from './DeleteFile.tsx'
import type { FileTask } from './FileActions.tsx'
import { RenameFile } from './RenameFile.tsx'
import { ReplaceFile } from './ReplaceFile.tsx'

interface FileDialogsProps {
  task: FileTask
  file: Outputs['files']['get']
  onClose: () => void
  onReplace: (by: File) => void
  onDeleted: () => void
}

/** The dialog of whatever is to be done with a file. */
export const FileDialogs = ({ task, file, onClose, onReplace, onDeleted }: FileDialogsProps) => {
  if (task === 'rename') return <RenameFile file={file} onClose={onClose} />
  if (task === 'replace')
    return (
      <ReplaceFile
        file={file}
        onClose={onClose}
        onReplace={by => {
          onReplace(by)
          onClose()
        }}
      />
    )
  return <DeleteFile file={file} onClose={onClose} onDeleted={onDeleted} />
}
