import { IconPlus, IconPuzzle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import picture from '../../shared/illustrations/parts.svg?raw'
import { api } from '../api.ts'
import { useKey } from '../shell/single-keys.ts'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FailureView } from '../ui/FailureView.tsx'
import { LoadingRows, LoadingSearchAndCount } from '../ui/Loading.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { SearchableList } from '../ui/SearchableList.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { SpaceDrafts } from '../unsaved/DraftList.tsx'
import { useSpace } from '../use-space.ts'

/** The parts of a space. */
export const Parts = () => {
  const { subdomain, name } = useSpace()
  const create = useKey('C')
  const parts = useQuery(api.parts.list.queryOptions({ subdomain }))
  if (parts.isPending)
    return (
      <>
        <ViewTitle title="Parts" of={name} />
        <LoadingRows above={<LoadingSearchAndCount />} />
      </>
    )
  if (!parts.data) return <FailureView level={1} error={parts.error} retry={() => void parts.refetch()} />
  const { data } = parts.data
  const newPart = (
    <ButtonLink
      to="/spaces/$subdomain/new-part"
      params={{ subdomain }}
      {...create}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      New part
    </ButtonLink>
  )
  if (data.length === 0)
    return (
      <>
        <ViewTitle title="Parts" of={name} />
        <SpaceDrafts subdomain={subdomain} kind="part" />
        <Empty
          picture={picture}
          title="Write once, use on every page"
          text="A part is a piece that pages share, such as a menu, a footer or a layout. It has no address of its own."
        >
          {newPart}
        </Empty>
      </>
    )
  return (
    <>
      <ViewTitle title="Parts" of={name}>
        {newPart}
      </ViewTitle>
      <SpaceDrafts subdomain={subdomain} kind="part" />
      <SearchableList noun="part" subdomain={subdomain} items={data} nameOf={({ name }) => name}>
        {found => (
          <Rows label="Parts">
            {found.map(({ id, name, updated_at }) => (
              <Row
                key={id}
                item={{ kind: 'part', thing: id }}
                icon={<IconPuzzle size={20} />}
                title={
                  <TextLink to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: id }}>
                    {name}
                  </TextLink>
                }
                text={
                  <>
                    Updated <RelativeTime at={updated_at} />
                  </>
                }
              />
            ))}
          </Rows>
        )}
      </SearchableList>
    </>
  )
}
