import { Stack } from '@mantine/core'
import { rules } from '../../../routers/core/rules.ts'
import type { Outputs } from '../api.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import { QuotaBar } from '../feedback/QuotaBar.tsx'
import { Section } from '../shell/Section.tsx'

/** Shows how much of its quotas a space uses. */
export const Usage = ({ usage }: { usage: Outputs['spaces']['overview']['usage'] }) => (
  <Section title="Usage" text="How much of each limit this space uses.">
    <Stack gap="md">
      <QuotaBar label="Parts, in characters" used={usage.parts_length} quota={rules.part.total_max_length} />
      <QuotaBar label="Data records" used={usage.records} quota={rules.data.max_records} />
      <QuotaBar
        label="Data"
        used={usage.data_bytes}
        quota={rules.data.total_max_bytes}
        format={formatBytes}
      />
      <QuotaBar label="Files" used={usage.file_bytes} quota={rules.file.quota_bytes} format={formatBytes} />
    </Stack>
  </Section>
)
