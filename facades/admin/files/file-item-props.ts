import type { Outputs } from '../api.ts'
import type { FileTask } from './FileActions.tsx'

type StoredFile = Outputs['files']['get']

/** Props of a file in the list or in the grid. */
export interface FileItemProps {
  file: StoredFile
  isSelected: boolean
  onSelect: (id: string, isSelected: boolean) => void
  onTask: (task: FileTask, file: StoredFile, button: HTMLElement | null) => void
}
