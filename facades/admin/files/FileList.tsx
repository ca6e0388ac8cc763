import type { Ref } from 'react'
import { Rows } from '../shell/Rows.tsx'
import { FileCard } from './FileCard.tsx'
import { FileRow } from './FileRow.tsx'
import type { FileItemProps } from './file-item-props.ts'
import css from './files.module.css'

interface FileListProps extends Pick<FileItemProps, 'onSelect' | 'onTask'> {
  files: FileItemProps['file'][]
  layout: 'list' | 'grid'
  /** Ids of the selected files. */
  selected: ReadonlySet<string>
  ref: Ref<HTMLUListElement>
}

/** The files as rows, or as a grid of pictures. */
export const FileList = ({ files, layout, selected, onSelect, onTask, ref }: FileListProps) => {
  const isGrid = layout === 'grid'
  const FileItem = isGrid ? FileCard : FileRow
  const items = files.map(file => (
    <FileItem
      key={file.id}
      file={file}
      isSelected={selected.has(file.id)}
      onSelect={onSelect}
      onTask={onTask}
    />
  ))
  return isGrid ? (
    <ul className={css.files} ref={ref} tabIndex={-1} aria-label="Files">
      {items}
    </ul>
  ) : (
    <Rows label="Files" ref={ref}>
      {items}
    </Rows>
  )
}
