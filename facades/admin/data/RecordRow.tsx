import { Badge, Text } from '@mantine/core'
import type { Outputs } from '../api.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { RouterAnchor } from '../shell/RouterAnchor.tsx'
import css from './data.module.css'

interface RecordRowProps {
  record: Outputs['records']['list'][number]
  subdomain: string
}

/** One record in the list. */
export const RecordRow = ({ record, subdomain }: RecordRowProps) => {
  const { key, description, size, version, updated_at, warnings } = record
  return (
    <li>
      <RouterAnchor to="/spaces/$subdomain/data/$key" params={{ subdomain, key }} className={css.record}>
        <div>
          <span className={css.key}>{key}</span>
          {warnings > 0 && (
            <Badge variant="light" color="yellow" tt="none" ml="xs" c="var(--mantine-color-text)">
              {warnings === 1 ? '1 warning' : `${warnings} warnings`}
            </Badge>
          )}
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        <Text size="sm" c="dimmed">
          {formatBytes(size)}
        </Text>
        <Text size="sm" c="dimmed">
          Version {version}
        </Text>
        <Text size="sm" c="dimmed">
          <RelativeTime at={updated_at} />
        </Text>
      </RouterAnchor>
    </li>
  )
}
