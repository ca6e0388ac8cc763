import { Anchor, Avatar, Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { CopyButton } from '../feedback/CopyButton.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { GetStarted } from './GetStarted.tsx'
import { RecentChanges } from './RecentChanges.tsx'
import { Usage } from './Usage.tsx'

/** The start view of a space: address, first steps, recent changes and usage. */
export const Overview = () => {
  const { subdomain, name, url, icon_url } = useSpace()
  const overview = useQuery(api.spaces.overview.queryOptions({ subdomain }))
  return (
    <>
      <Group align="flex-start" wrap="nowrap" gap="md">
        <Avatar src={icon_url} name={name} color="leaf" size={56} radius="md" alt="" visibleFrom="xs" />
        <div style={{ flex: 1, minWidth: 0 }}>
          <ViewTitle
            title={name}
            text={
              <Anchor href={url} target="_blank" rel="noopener" style={{ overflowWrap: 'anywhere' }}>
                {url}
              </Anchor>
            }
          >
            <CopyButton value={url} what="the address" size="sm" variant="default" />
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noopener"
              leftSection={<IconExternalLink size={18} aria-hidden />}
            >
              Open site
            </Button>
          </ViewTitle>
        </div>
      </Group>
      {overview.isPending && <Loading rows={2} height={240} />}
      {overview.isError && <FailureView error={overview.error} retry={() => void overview.refetch()} />}
      {overview.data && (
        <Stack gap="lg">
          <GetStarted subdomain={subdomain} usage={overview.data.usage} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
            <RecentChanges subdomain={subdomain} changes={overview.data.changes} />
            <Usage usage={overview.data.usage} />
          </SimpleGrid>
        </Stack>
      )}
    </>
  )
}
