import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { QuotaBar } from '../feedback/QuotaBar.tsx'
import { Section } from '../shell/Section.tsx'

const LABELS = {
  spaces: 'Spaces',
  posts: 'Published posts',
  drafts: 'Drafts',
  follows: 'People you follow',
  mutes: 'People you muted or blocked',
} as const

/** Shows how much of its limits an account uses. */
export const AccountUsage = () => {
  const usage = useQuery(api.accounts.usage.queryOptions(undefined, { staleTime: 0 }))
  return (
    <Section title="Usage" text="How much of each limit your account uses.">
      {usage.isPending ? (
        <Loading rows={5} height={32} />
      ) : usage.isError ? (
        <FailureView error={usage.error} retry={() => void usage.refetch()} />
      ) : (
        <Stack gap="md">
          {(Object.keys(LABELS) as (keyof typeof LABELS)[]).map(name => (
            <QuotaBar
              key={name}
              label={LABELS[name]}
              used={usage.data.used[name]}
              quota={usage.data.limits[name]}
            />
          ))}
        </Stack>
      )}
    </Section>
  )
}
