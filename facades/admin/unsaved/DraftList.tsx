import { Badge, Box, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { api, queryClient } from '../api.ts'
import { useSession } from '../session.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { notifyFailure } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { DiscardDraft } from './DraftNotices.tsx'
import { type DraftPlace, discardKept } from './draft-place.ts'
import { isGone, localKey, removeLocal } from './local-draft.ts'

/** A draft in the list. */
export interface ListedDraft {
  thing: string
  is_new: boolean
  name: string
  updated_at: string
}

interface DraftListProps {
  subdomain: string | null
  kind: DraftPlace['kind']
  drafts: readonly ListedDraft[]
  /** Returns a link with this text that opens the draft in its editor. */
  linkTo: (draft: ListedDraft, text: string) => ReactNode
}

/**
 * Your unsaved changes to items of one kind, each with a link to continue editing. Renders nothing if there are none.
 */
export const DraftList = ({ subdomain, kind, drafts, linkTo }: DraftListProps) => {
  const { handle } = useSession()
  const placeOf = ({ thing, is_new: isNew }: ListedDraft) => ({ subdomain, kind, thing, isNew })
  const discarding = useMutation({
    mutationFn: async (draft: ListedDraft) => {
      const place = placeOf(draft)
      await discardKept(place)
      removeLocal(localKey(handle, place))
    },
    onSuccess: () =>
      queryClient.invalidateQueries(
        (subdomain === null ? api.unsavedPosts.list : api.unsaved.list).pathFilter(),
      ),
    onError: notifyFailure,
  })
  const shown = drafts.filter(draft => !isGone(localKey(handle, placeOf(draft))))
  // This draft was saved or discarded, but the tab was closed before the service could delete it. Delete it now.
  const gone = drafts.find(draft => !shown.includes(draft))
  const { mutate, isPending, isError } = discarding
  useEffect(() => {
    if (gone && !isPending && !isError) mutate(gone)
  }, [gone, isPending, isError, mutate])
  if (shown.length === 0) return null
  return (
    <Box component="section" mb="xl" aria-labelledby="your-drafts">
      <Title order={2} size="h4" mb="xs" id="your-drafts">
        Your unsaved changes
      </Title>
      <Rows label="Your unsaved changes">
        {shown.map(draft => {
          const name = draft.name.trim() || `Untitled ${kind}`
          return (
            <Row
              key={draft.thing}
              icon={<IconPencil size={20} />}
              title={linkTo(draft, name)}
              badges={
                draft.is_new && (
                  <Badge color="gray" variant="light" tt="none">
                    Never saved
                  </Badge>
                )
              }
              text={
                <>
                  Changed <RelativeTime at={draft.updated_at} />. Visitors don’t see it yet.
                </>
              }
            >
              <DiscardDraft
                text="Discard"
                size={rowButton.size}
                label={`Discard the changes to ${name}`}
                isPending={discarding.isPending && discarding.variables.thing === draft.thing}
                onDiscard={() => discarding.mutate(draft)}
              />
            </Row>
          )
        })}
      </Rows>
    </Box>
  )
}

/** Your unsaved changes to posts. */
export const PostDrafts = () => {
  const { data } = useQuery(api.unsavedPosts.list.queryOptions({}))
  return (
    <DraftList
      subdomain={null}
      kind="post"
      drafts={data?.drafts ?? []}
      linkTo={({ thing, is_new }, text) =>
        is_new ? (
          <TextLink to="/new-post" search={{ draft: thing }}>
            {text}
          </TextLink>
        ) : (
          <TextLink to="/posts/$postId" params={{ postId: thing }}>
            {text}
          </TextLink>
        )
      }
    />
  )
}

interface SpaceDraftsProps {
  subdomain: string
  kind: 'page' | 'part' | 'record'
}

/** Your unsaved changes to items of one kind in a space. */
export const SpaceDrafts = ({ subdomain, kind }: SpaceDraftsProps) => {
  const { data } = useQuery(api.unsaved.list.queryOptions({ subdomain }))
  const drafts = data?.drafts.filter(draft => draft.kind === kind) ?? []
  return <DraftList subdomain={subdomain} kind={kind} drafts={drafts} linkTo={LINKS[kind](subdomain)} />
}

type Link = (subdomain: string) => (draft: ListedDraft, text: string) => React.ReactNode

const LINKS: Record<SpaceDraftsProps['kind'], Link> = {
  page:
    subdomain =>
    ({ thing, is_new }, text) =>
      is_new ? (
        <TextLink to="/spaces/$subdomain/new-page" params={{ subdomain }} search={{ draft: thing }}>
          {text}
        </TextLink>
      ) : (
        <TextLink to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: thing }}>
          {text}
        </TextLink>
      ),
  part:
    subdomain =>
    ({ thing, is_new }, text) =>
      is_new ? (
        <TextLink to="/spaces/$subdomain/new-part" params={{ subdomain }} search={{ draft: thing }}>
          {text}
        </TextLink>
      ) : (
        <TextLink to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: thing }}>
          {text}
        </TextLink>
      ),
  record:
    subdomain =>
    ({ thing, is_new }, text) =>
      is_new ? (
        <TextLink to="/spaces/$subdomain/new-record" params={{ subdomain }} search={{ draft: thing }}>
          {text}
        </TextLink>
      ) : (
        <TextLink to="/spaces/$subdomain/data/$key" params={{ subdomain, key: thing }}>
          {text}
        </TextLink>
      ),
}
