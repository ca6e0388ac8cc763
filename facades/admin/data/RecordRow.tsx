import { Badge } from '@mantine/core'
import { IconDatabase } from '@tabler/icons-react'
import type { Outputs } from '../api.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { TextLink } from '../shell/ButtonLink.tsx'
import { Row } from '../shell/Rows.tsx'
import css from './data.module.css'

interface RecordRowProps {
  record: Outputs['records']['list'][number]
  subdomain: string
}

/** One record in the list. */
export const RecordRow = ({ record, subdomain }: RecordRowProps) => {
  const { key, description, size, version, updated_at, warnings } = record
  return (
    <Row
      icon={<IconDatabase size={20} />}
      title={
        <TextLink to="/spaces/$subdomain/data/$key" params={{ subdomain, key }} className={css.key ?? ''}>
          {key}
        </TextLink>
      }
      badges={
        warnings > 0 && (
          <Badge variant="light" color="yellow" tt="none" c="var(--mantine-color-text)">
            {warnings === 1 ? '1 warning' : `${warnings} warnings`}
          </Badge>
        )
      }
      text={
        <>
          {description && <div>{description}</div>}
          {formatBytes(size)} · version {version} · <RelativeTime at={updated_at} />
        </>
      }
    />
  )
}
