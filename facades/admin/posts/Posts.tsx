import { Button, Center, SegmentedControl, Stack } from '@mantine/core'
import { IconNotes, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { api, client } from '../api.ts'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { focusAfterDialog } from '../feedback/focus-after-dialog.ts'
import { Loading } from '../feedback/Loading.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { PostRow } from './PostRow.tsx'

const route = getRouteApi('/signed-in/posts')

const KINDS = ['drafts', 'published'] as const

const NOTHING = {
  drafts: { title: 'No drafts', text: 'What you are writing shows here until you publish it.' },
  published: { title: 'Nothing published', text: 'What everybody can read of you shows here.' },
}

/** One's own posts, drafts and published ones, newest first. */
export const Posts = () => {
  const { show = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useRef<HTMLDivElement>(null)
  const posts = useInfiniteQuery({
    queryKey: [...api.writing.list.pathKey(), show],
    queryFn: ({ pageParam: cursor, signal }) => client.writing.list.query({ show, cursor }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const newPost = (
    <ButtonLink to="/new-post" leftSection={<IconPlus size={18} aria-hidden />}>
      New post
    </ButtonLink>
  )
  const counts = posts.data?.pages.at(-1)
  const all = counts && counts.drafts + counts.published
  const rows = posts.data?.pages.flatMap(page => page.posts) ?? []
  if (all === 0)
    return (
      <>
        <ViewTitle title="Posts" />
        <Empty
          icon={<IconNotes />}
          title="Write your first post"
          text="Posts are yours and belong to no space: a text in Markdown, a document of your own in HTML, or an address that you share. Nobody sees a draft but you."
        >
          {newPost}
        </Empty>
      </>
    )
  const number = (figure: number | undefined) => (figure === undefined ? '' : ` ${figure}`)
  return (
    <>
      <ViewTitle title="Posts" text="What you write in your own name.">
        {newPost}
      </ViewTitle>
      <SegmentedControl
        mb="md"
        value={show}
        onChange={value => {
          const kind = KINDS.find(kind => kind === value)
          void navigate({ search: kind ? { show: kind } : {}, replace: true })
        }}
        data={[
          { value: 'all', label: `All${number(all)}` },
          { value: 'drafts', label: `Drafts${number(counts?.drafts)}` },
          { value: 'published', label: `Published${number(counts?.published)}` },
        ]}
        aria-label="Which posts"
      />
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        {posts.isPending ? (
          <Loading rows={5} height={84} />
        ) : posts.isError && rows.length === 0 ? (
          <FailureView error={posts.error} retry={() => void posts.refetch()} />
        ) : rows.length === 0 && show !== 'all' ? (
          <Empty icon={<IconNotes />} {...NOTHING[show]}>
            <ButtonLink to="/posts" variant="default">
              Show all posts
            </ButtonLink>
          </Empty>
        ) : (
          <Stack gap="sm">
            <Stack component="ul" gap="sm" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
              {rows.map(post => (
                <li key={post.id}>
                  <PostRow post={post} onDeleted={() => focusAfterDialog(list)} />
                </li>
              ))}
            </Stack>
            <FormFailure error={posts.error} />
            {posts.hasNextPage && (
              <Center>
                <Button
                  variant="default"
                  onClick={() => void posts.fetchNextPage()}
                  loading={posts.isFetchingNextPage}
                >
                  Show older posts
                </Button>
              </Center>
            )}
          </Stack>
        )}
      </div>
    </>
  )
}
