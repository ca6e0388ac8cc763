import type { Outputs } from '../api.ts'
import { DeleteFile } from './DeleteFile.tsx'
import type { FileTask } from './FileActions.tsx'
import { FileUses } from './FileUses.tsx'
import { RenameFile } from './RenameFile.tsx'
import { ReplaceFile } from './ReplaceFile.tsx'

interface FileDialogsProps {
  task: FileTask
  file: Outputs['files']['get']
  onClose: () => void
  onReplace: (content: File) => void
  onDeleted: () => void
}

/** Shows the dialog for an action on a file. */
export const FileDialogs = ({ task, file, onClose, onReplace, onDeleted }: FileDialogsProps) => {
  if (task === 'rename') return <RenameFile file={file} onClose={onClose} />
  if (task === 'uses') return <FileUses file={file} onClose={onClose} />
  if (task === 'replace')
    return (
      <ReplaceFile
        file={file}
        onClose={onClose}
        onReplace={content => {
          onReplace(content)
          onClose()
        }}
      />
    )
  return <DeleteFile file={file} onClose={onClose} onDeleted={onDeleted} />
}
