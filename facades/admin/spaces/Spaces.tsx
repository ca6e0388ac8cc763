import { Avatar, Card, Group, SimpleGrid, Text } from '@mantine/core'
import { IconLayoutGrid, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { RouterAnchor } from '../shell/RouterAnchor.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'

/** The spaces one takes part in. */
export const Spaces = () => {
  const spaces = useQuery(api.spaces.list.queryOptions())
  if (spaces.isPending) return <Loading />
  if (spaces.isError) return <FailureView error={spaces.error} retry={() => void spaces.refetch()} />
  const newSpace = (
    <ButtonLink to="/new-space" leftSection={<IconPlus size={18} aria-hidden />}>
      New space
    </ButtonLink>
  )
  if (spaces.data.length === 0)
    return (
      <>
        <ViewTitle title="Spaces" />
        <Empty
          icon={<IconLayoutGrid />}
          title="Make your first space"
          text="A space is one website with its pages, parts, data and files, and the people who run it."
        >
          {newSpace}
        </Empty>
      </>
    )
  return (
    <>
      <ViewTitle title="Spaces">{newSpace}</ViewTitle>
      <SimpleGrid
        cols={{ base: 1, xs: 2, lg: 3 }}
        component="ul"
        style={{ listStyle: 'none', padding: 0, margin: 0 }}
      >
        {spaces.data.map(({ subdomain, name, url, icon_url }) => (
          <li key={subdomain}>
            <Card
              withBorder
              renderRoot={props => <RouterAnchor to="/spaces/$subdomain" params={{ subdomain }} {...props} />}
            >
              <Group wrap="nowrap">
                <Avatar src={icon_url} name={name} color="leaf" size={48} radius="md" alt="" />
                <div style={{ minWidth: 0 }}>
                  <Text fw={600} truncate>
                    {name}
                  </Text>
                  <Text size="sm" c="dimmed" truncate>
                    {url.replace(/^https?:\/\//, '')}
                  </Text>
                </div>
              </Group>
            </Card>
          </li>
        ))}
      </SimpleGrid>
    </>
  )
}
