import { Anchor, Badge, Group, NativeSelect, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import picture from '../../shared/illustrations/pages.svg?raw'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { SpaceSchedules } from '../schedules/SpaceSchedules.tsx'
import { SelectedItems } from '../selection/SelectedItems.tsx'
import { SelectRow } from '../selection/SelectRow.tsx'
import { useSelection } from '../selection/use-selection.ts'
import { useKey } from '../shell/single-keys.ts'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FailureView } from '../ui/FailureView.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { LoadingRows, LoadingSearchAndCount, LoadingSelection } from '../ui/Loading.tsx'
import { PagePicture } from '../ui/PagePicture.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { SearchableList } from '../ui/SearchableList.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { SpaceDrafts } from '../unsaved/DraftList.tsx'
import { SpaceLinks } from '../unsaved/PreviewLinks.tsx'
import { useSpace } from '../use-space.ts'
import { EXAMPLE_NAMES, pageSearch } from '../view-search.ts'
import { EXAMPLES } from './examples.ts'
import { isHomePage, visitorUrl } from './home-page.ts'
import classes from './Pages.module.css'
import { comparePages, ORDERS } from './page-order.ts'
import { untilComplete } from './until-complete.ts'

type Page = Outputs['pages']['list']['data'][number]

const route = getRouteApi('/signed-in/spaces/$subdomain/pages')

/** The pages of a space. */
export const Pages = () => {
  const { subdomain, name, url } = useSpace()
  const create = useKey('C')
  const pages = useQuery(api.pages.list.queryOptions({ subdomain }))
  const count = pages.data?.data.length ?? 0
  const titles = usePageTitles(subdomain, count)
  const failing = useFailingPages(subdomain, count)
  const { sort } = route.useSearch()
  const navigate = route.useNavigate()
  if (pages.isPending)
    return (
      <>
        <ViewTitle title="Pages" of={name} />
        <LoadingRows
          hasPictures
          above={
            <>
              <LoadingSearchAndCount />
              <LoadingSelection />
            </>
          }
        />
      </>
    )
  if (!pages.data) return <FailureView level={1} error={pages.error} retry={() => void pages.refetch()} />
  const { data } = pages.data
  if (data.length === 0) return <NoPages subdomain={subdomain} name={name} />
  return (
    <>
      <ViewTitle title="Pages" of={name}>
        <ButtonLink
          to="/spaces/$subdomain/new-page"
          params={{ subdomain }}
          {...create}
          leftSection={<IconPlus size={18} aria-hidden />}
        >
          New page
        </ButtonLink>
      </ViewTitle>
      <SpaceDrafts subdomain={subdomain} kind="page" />
      <SpaceLinks subdomain={subdomain} />
      <SpaceSchedules subdomain={subdomain} />
      <SearchableList
        noun="page"
        subdomain={subdomain}
        items={data.toSorted(comparePages(sort, titles))}
        beside={
          <NativeSelect
            aria-label="Sort by"
            value={sort ?? 'slug'}
            onChange={event =>
              void navigate({ search: pageSearch({ sort: event.currentTarget.value }), replace: true })
            }
            data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
          />
        }
        nameOf={({ id, slug }) => `${slug} ${titles.get(id)?.toLowerCase() ?? ''}`}
      >
        {found => (
          <PageRows pages={found} titles={titles} failing={failing} subdomain={subdomain} siteUrl={url} />
        )}
      </SearchableList>
    </>
  )
}

/**
 * Returns the document titles of the pages, by page id. They load after the list, because the service has to evaluate
 * the pages. Until then, or if that fails, the list shows only the slugs.
 */
const usePageTitles = (subdomain: string, count: number): ReadonlyMap<string, string> => {
  const { data } = useQuery(
    api.delivery.pageTitles.queryOptions(count > 0 ? { subdomain } : skipToken, {
      staleTime: 0,
      ...untilComplete,
    }),
  )
  return useMemo(() => new Map(data?.pages.map(({ id, title }) => [id, title])), [data])
}

/** Returns the ids of the pages that show visitors an error. They load after the list, like the titles. */
const useFailingPages = (subdomain: string, count: number): ReadonlySet<string> => {
  const { data } = useQuery(
    api.delivery.failingPages.queryOptions(count > 0 ? { subdomain } : skipToken, {
      staleTime: 0,
      ...untilComplete,
    }),
  )
  return useMemo(() => new Set(data?.pages.map(({ id }) => id)), [data])
}

interface PageRowsProps {
  pages: Page[]
  titles: ReadonlyMap<string, string>
  failing: ReadonlySet<string>
  subdomain: string
  siteUrl: string
}

const PageRows = ({ pages, titles, failing, subdomain, siteUrl }: PageRowsProps) => {
  const list = useRef<HTMLUListElement>(null)
  const selection = useSelection(
    pages.map(({ id, slug }) => ({ id, name: slug })),
    ({ id }) => id,
  )
  return (
    <>
      <SelectedItems
        kind="page"
        selection={selection}
        remove={page_id => rpc.pages.delete.mutate({ subdomain, page_id })}
        missing="page_not_found"
        refresh={() => queryClient.invalidateQueries(api.pages.pathFilter())}
        consequence="Their addresses stop working immediately."
        onDeleted={() => focusAfterDialog(list)}
      />
      <Rows label="Pages" ref={list}>
        {pages.map(({ id, slug, kind, url, updated_at }) => {
          const address = visitorUrl(siteUrl, { slug, url })
          return (
            <Row
              key={id}
              item={{ kind: 'page', thing: id }}
              select={<SelectRow id={id} name={slug} selection={selection} />}
              isSelected={selection.isSelected(id)}
              picture={<PagePicture subdomain={subdomain} slug={slug} />}
              title={
                <TextLink to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: id }}>
                  {slug}
                </TextLink>
              }
              badges={
                <>
                  {isHomePage(slug) && (
                    <Text size="sm" c="dimmed">
                      home page
                    </Text>
                  )}
                  <Text dir="auto" className={classes.title} data-failing={failing.has(id) || undefined}>
                    {failing.has(id) ? 'Visitors see an error' : titles.get(id)}
                  </Text>
                </>
              }
              text={
                <>
                  <Anchor href={address} target="_blank" rel="noopener" inherit>
                    {address.replace(/^https?:\/\//, '')}
                  </Anchor>{' '}
                  · updated <RelativeTime at={updated_at} />
                </>
              }
            >
              <Badge variant="light" color={kind === 'static' ? 'gray' : 'leaf'} tt="none" fw={600}>
                {kind}
              </Badge>
              <CopyButton value={address} what={`address of ${slug}`} {...rowButton} />
            </Row>
          )
        })}
      </Rows>
    </>
  )
}

/** Shown while the space has no pages: what a page is, and examples to start with. */
const NoPages = ({ subdomain, name }: { subdomain: string; name: string }) => (
  <>
    <ViewTitle title="Pages" of={name} />
    <SpaceDrafts subdomain={subdomain} kind="page" />
    <SpaceLinks subdomain={subdomain} />
    <SpaceSchedules subdomain={subdomain} />
    <Empty
      picture={picture}
      title="Create your first page"
      text="A page is HTML with Liquid. It can show the space’s data, files and parts, and is public at its own address as soon as you save it."
    >
      <Group justify="center">
        <ButtonLink to="/spaces/$subdomain/new-page" params={{ subdomain }} search={{ example: 'welcome' }}>
          Start with a welcome page
        </ButtonLink>
        <ButtonLink to="/spaces/$subdomain/new-page" params={{ subdomain }} variant="default">
          Start with a blank page
        </ButtonLink>
      </Group>
      <Text size="sm" c="dimmed">
        Or start with an example:{' '}
        {EXAMPLE_NAMES.filter(example => example !== 'welcome').map((example, index) => (
          <span key={example}>
            {index > 0 && ', '}
            <TextLink to="/spaces/$subdomain/new-page" params={{ subdomain }} search={{ example }} size="sm">
              {EXAMPLES[example].label}
            </TextLink>{' '}
            ({EXAMPLES[example].text.charAt(0).toLowerCase() + EXAMPLES[example].text.slice(1)})
          </span>
        ))}
      </Text>
    </Empty>
  </>
)
