import { Anchor, Checkbox } from '@mantine/core'
import { shownText } from '../../../routers/api/shown-text.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { Row } from '../shell/Rows.tsx'
import { FileActions } from './FileActions.tsx'
import type { FileItemProps } from './file-item-props.ts'
import { kindOf } from './file-kind.tsx'
import { Thumbnail } from './Thumbnail.tsx'

/** A file in the list. */
export const FileRow = ({ file, isSelected, onSelect, onTask }: FileItemProps) => {
  const name = shownText(file.name)
  return (
    <Row
      select={
        <Checkbox
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={event => onSelect(file.id, event.currentTarget.checked)}
        />
      }
      isSelected={isSelected}
      icon={<Thumbnail file={file} size="small" />}
      title={
        <Anchor href={file.url} target="_blank" rel="noopener" title={name}>
          {name}
        </Anchor>
      }
      text={
        <>
          {kindOf(file.content_type).label} · {formatBytes(file.size)} ·{' '}
          {file.uploaded_by ?? 'Former participant'} · {file.updated_at !== file.created_at && 'updated '}
          <RelativeTime at={file.updated_at} />
        </>
      }
    >
      <FileActions file={file} onTask={onTask} />
    </Row>
  )
}
