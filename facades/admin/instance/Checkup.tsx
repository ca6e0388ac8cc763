import { Badge, Button, List, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, type Outputs } from '../api.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { counted } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Section } from '../ui/Section.tsx'

type Finding = Outputs['instance']['check']['findings'][number]

const STATES = {
  fault: { label: 'Fault', color: 'red' },
  warning: { label: 'Warning', color: 'yellow' },
} as const

/** What `./space-site doctor` finds, faults first. */
export const Checkup = () => {
  const checkup = useQuery(
    api.instance.check.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  )
  return (
    <Section
      title="Checks"
      text="Settings, disks, database, backups, stores, names, certificates and the proxy, as ./space-site doctor checks them. This can take half a minute."
      action={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={checkup.isFetching}
          onClick={() => void checkup.refetch()}
        >
          Check again
        </Button>
      }
    >
      <Loaded query={checkup} placeholder={<Loading rows={2} height={60} />}>
        {({ checked_at, findings }) => {
          const wrong = [
            ...findings.filter(({ state }) => state === 'fault'),
            ...findings.filter(({ state }) => state === 'warning'),
          ]
          return (
            <Stack gap="sm">
              <Text size="sm" role="status">
                {wrong.length === 0
                  ? `${counted(findings.length, 'check')}: nothing is wrong.`
                  : `${counted(wrong.length, 'thing')} to look at, in ${counted(findings.length, 'check')}.`}{' '}
                Checked <RelativeTime at={checked_at} />.
              </Text>
              {wrong.length > 0 && (
                <List listStyleType="none" spacing="sm">
                  {wrong.map(finding => (
                    <List.Item key={`${finding.check} ${finding.found}`}>
                      <Shown finding={finding} />
                    </List.Item>
                  ))}
                </List>
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Section>
  )
}

const Shown = ({ finding: { check, state, found, fix } }: { finding: Finding }) => (
  <div style={{ overflowWrap: 'anywhere' }}>
    {state !== 'good' && (
      <Badge variant="light" tt="none" color={STATES[state].color} c="var(--mantine-color-text)">
        {STATES[state].label}
      </Badge>
    )}{' '}
    <Text span size="sm" fw={600}>
      {check}
    </Text>
    <Text size="sm">{found}</Text>
    {fix !== null && (
      <Text size="sm" c="dimmed">
        {fix}
      </Text>
    )}
  </div>
)
