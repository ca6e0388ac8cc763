import { Code, Stack, Text } from '@mantine/core'
import { CopyButton } from '../ui/CopyButton.tsx'
import type { OwnDomain } from './describe-domain.ts'

/** The DNS records to set, each with a button that copies its value. */
export const DnsRecords = ({ records }: Pick<OwnDomain, 'records'>) => (
  <Stack gap="xs" mt="xs" component="ul" aria-label="DNS records to set" p={0} style={{ listStyle: 'none' }}>
    {records.map(({ type, name, value }) => (
      <li key={`${type} ${value}`}>
        <Text size="sm" c="var(--mantine-color-text)">
          <b>{type}</b> <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code>
        </Text>
        <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>{' '}
        <CopyButton value={value} what={`value of the ${type} record of ${name}`} size="compact-xs" />
      </li>
    ))}
  </Stack>
)
