import { Anchor, Divider, Stack, Text, Title } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, queryClient, root, rpc } from '../api.ts'
import { IconField } from '../icon/IconField.tsx'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { QuotaBar } from '../ui/QuotaBar.tsx'
import { Section } from '../ui/Section.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { ProfileForm } from './ProfileForm.tsx'

const refresh = () => queryClient.invalidateQueries(api.me.pathFilter())

/** Edits the public profile: picture, handle, display name and bio. */
export const Profile = () => {
  const profile = useQuery(api.me.get.queryOptions({}))
  return (
    <>
      <ViewTitle title="Profile" text="Others see this next to your posts and comments." />
      <Loaded query={profile} placeholder={<Loading rows={4} height={72} maw="44rem" />}>
        {shown => (
          <Stack gap="xl" maw="44rem">
            <Anchor
              href={new URL(`@${shown.handle}`, root).href}
              target="_blank"
              rel="noopener"
              style={{ alignSelf: 'flex-start' }}
            >
              Open your public profile{' '}
              <IconExternalLink size={16} style={{ verticalAlign: '-2px' }} aria-hidden />
            </Anchor>
            <IconField
              name={shown.display_name ?? shown.handle}
              url={shown.icon_url}
              shape="round"
              description="Shown next to everything you write."
              onSave={async png => {
                await rpc.me.setIcon.mutate({ png })
                await refresh()
              }}
              onRemove={async () => {
                await rpc.me.removeIcon.mutate({})
                await refresh()
                notifySuccess('Icon removed.')
              }}
            />
            <Divider />
            <ProfileForm profile={shown} />
            <Divider />
            <AccountUsage />
            <Divider />
            <Stack gap="xs" align="flex-start">
              <Title order={2} size="h4">
                Delete account
              </Title>
              <Text c="dimmed">You will see what is deleted and what is kept before you confirm.</Text>
              <ButtonLink to="/account/delete" variant="default">
                Delete account…
              </ButtonLink>
            </Stack>
          </Stack>
        )}
      </Loaded>
    </>
  )
}

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
      <Loaded query={usage} placeholder={<Loading rows={5} height={32} />}>
        {({ used, limits }) => (
          <Stack gap="md">
            {(Object.keys(LABELS) as (keyof typeof LABELS)[]).map(name => (
              <QuotaBar key={name} label={LABELS[name]} used={used[name]} quota={limits[name]} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
