import { Anchor, Checkbox, Text } from '@mantine/core'
import type { Ref } from 'react'
import { shownText } from '../../../routers/core/shown-text.ts'
import type { Outputs } from '../api.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { FileActions, type FileTask } from './FileActions.tsx'
import { kindOf } from './file-kind.tsx'
import css from './files.module.css'
import { Thumbnail } from './Thumbnail.tsx'

type StoredFile = Outputs['files']['get']

interface FileListProps {
  files: StoredFile[]
  layout: 'list' | 'grid'
  /** Ids of the selected files. */
  selected: ReadonlySet<string>
  onSelect: (id: string, isSelected: boolean) => void
  onTask: (task: FileTask, file: StoredFile, button: HTMLElement | null) => void
  ref: Ref<HTMLUListElement>
}

/** The files as rows or as cards. */
export const FileList = ({ files, layout, selected, onSelect, onTask, ref }: FileListProps) => (
  <ul className={css.files} data-layout={layout} ref={ref} tabIndex={-1} aria-label="Files">
    {files.map(file => (
      <li key={file.id} className={css.file}>
        <Checkbox
          className={css.select ?? ''}
          aria-label={`Select ${shownText(file.name)}`}
          checked={selected.has(file.id)}
          onChange={event => onSelect(file.id, event.currentTarget.checked)}
        />
        <Thumbnail file={file} size={layout === 'grid' ? 'large' : 'small'} />
        <div className={css.about}>
          <Anchor
            href={file.url}
            target="_blank"
            rel="noopener"
            c="var(--mantine-color-text)"
            fw={600}
            className={css.name}
            title={shownText(file.name)}
          >
            {shownText(file.name)}
          </Anchor>
          <Text size="sm" c="dimmed">
            {kindOf(file.content_type).label} <span className={css.dot}>· </span>
            <span className={css.size}>{formatBytes(file.size)}</span>
          </Text>
        </div>
        <Text size="sm" c="dimmed" className={css.origin}>
          {file.uploaded_by ?? 'Former participant'}
          <br />
          <span>
            {file.updated_at !== file.created_at && 'updated '}
            <RelativeTime at={file.updated_at} />
          </span>
        </Text>
        <FileActions file={file} onTask={onTask} />
      </li>
    ))}
  </ul>
)
