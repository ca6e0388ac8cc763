import { Stack } from '@mantine/core'
import { limits as fixed, rules } from '../../../routers/api/rules.ts'
import type { Outputs } from '../api.ts'
import { formatBytes } from '../ui/numbers.ts'
import { QuotaBar } from '../ui/QuotaBar.tsx'
import { Section } from '../ui/Section.tsx'

/** Shows how much of its limits and quotas a space uses. */
export const Usage = ({ usage, limits }: Pick<Outputs['spaces']['overview'], 'usage' | 'limits'>) => (
  <Section title="Usage" text="How much of each limit this space uses.">
    <Stack gap="md">
      <QuotaBar label="Pages" used={usage.pages} quota={limits.pages} />
      <QuotaBar label="Parts" used={usage.parts} quota={limits.parts} />
      <QuotaBar label="Parts, in characters" used={usage.parts_length} quota={rules.part.total_max_length} />
      <QuotaBar label="Data records" used={usage.records} quota={rules.data.max_records} />
      <QuotaBar
        label="Data, in bytes"
        used={usage.data_bytes}
        quota={rules.data.total_max_bytes}
        format={formatBytes}
      />
      <QuotaBar label="Files" used={usage.files} quota={limits.files} />
      <QuotaBar
        label="Files, in bytes"
        used={usage.file_bytes}
        quota={rules.file.quota_bytes}
        format={formatBytes}
      />
      <QuotaBar label="Participants" used={usage.participants} quota={limits.participants} />
      <QuotaBar label="Keys" used={usage.keys} quota={fixed.keys} />
    </Stack>
  </Section>
)
