import { Anchor, Checkbox, Text } from '@mantine/core'
import { shownText } from '../../../routers/api/shown-text.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { FileActions } from './FileActions.tsx'
import type { FileItemProps } from './file-item-props.ts'
import { kindOf } from './file-kind.tsx'
import css from './files.module.css'
import { Thumbnail } from './Thumbnail.tsx'

/** A file in the grid. */
export const FileCard = ({ file, isSelected, onSelect, onTask }: FileItemProps) => {
  const name = shownText(file.name)
  return (
    <li className={css.file}>
      <Checkbox
        className={css.select ?? ''}
        aria-label={`Select ${name}`}
        checked={isSelected}
        onChange={event => onSelect(file.id, event.currentTarget.checked)}
      />
      <Thumbnail file={file} size="large" />
      <div className={css.about}>
        <Anchor
          href={file.url}
          target="_blank"
          rel="noopener"
          c="var(--mantine-color-text)"
          fw={600}
          className={css.name}
          title={name}
        >
          {name}
        </Anchor>
        <Text size="sm" c="dimmed">
          {kindOf(file.content_type).label}
          <br />
          {formatBytes(file.size)}
        </Text>
      </div>
      <Text size="sm" c="dimmed" className={css.origin}>
        {file.uploaded_by ?? 'Former participant'} · {file.updated_at !== file.created_at && 'updated '}
        <RelativeTime at={file.updated_at} />
      </Text>
      <FileActions file={file} onTask={onTask} />
    </li>
  )
}
