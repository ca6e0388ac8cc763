import { SimpleGrid } from '@mantine/core'
import { IconLayoutGrid, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { SpaceCard } from './SpaceCard.tsx'

/** Lists the spaces that the person participates in. */
export const Spaces = () => {
  const spaces = useQuery(api.spaces.list.queryOptions())
  const newSpace = (
    <ButtonLink to="/new-space" leftSection={<IconPlus size={18} aria-hidden />}>
      New space
    </ButtonLink>
  )
  const isEmpty = spaces.data?.length === 0
  return (
    <>
      <ViewTitle title="Spaces">{!isEmpty && newSpace}</ViewTitle>
      {spaces.isPending && <Loading rows={2} height={80} />}
      {spaces.isError && <FailureView error={spaces.error} retry={() => void spaces.refetch()} />}
      {isEmpty && (
        <Empty
          icon={<IconLayoutGrid />}
          title="Create your first space"
          text="A space is one website: its pages, parts, data and files, and the people who run it."
        >
          {newSpace}
        </Empty>
      )}
      {spaces.data && !isEmpty && (
        <SimpleGrid
          cols={{ base: 1, xs: 2, lg: 3 }}
          component="ul"
          style={{ listStyle: 'none', padding: 0, margin: 0 }}
          aria-label="Spaces"
        >
          {spaces.data.map(space => (
            <SpaceCard key={space.subdomain} {...space} />
          ))}
        </SimpleGrid>
      )}
    </>
  )
}
