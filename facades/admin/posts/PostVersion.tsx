import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconHistory, IconRestore } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api, type Outputs } from '../api.ts'
import { type ShownVersion, TwoVersions } from '../history/TwoVersions.tsx'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { actorName, eventOf, useRestoreDeleted } from './post-changes.ts'
import { FORMAT_NAMES } from './post-values.ts'

type Detail = Outputs['postHistory']['get']
type Version = Detail['version']

/** A version of a post beside the current one, and a button that restores it. */
export const PostVersion = () => {
  const { changeId } = useParams({ from: '/signed-in/posts/$postId/history/$changeId' })
  const detail = useQuery(api.postHistory.get.queryOptions({ change_id: changeId }))
  return (
    <Loaded query={detail} level={1}>
      {found => <Versions {...found} />}
    </Loaded>
  )
}

/** Returns a version's source. A Markdown post that was saved through the API has only its HTML. */
const sourceOf = ({ format, html, markdown, text }: Version, isAsHtml: boolean) => {
  if (format === 'reblog') return { text, language: undefined }
  if (format === 'rich' && markdown !== null && !isAsHtml)
    return { text: markdown, language: 'markdown' as const }
  return { text: html, language: 'html' as const }
}

const shown = (name: string, version: Version, isAsHtml: boolean): ShownVersion => ({
  name,
  fields: [
    ['Format', FORMAT_NAMES[version.format]],
    ...(version.url === null ? [] : [['Link', version.url] as const]),
    ...(version.tags.length === 0 ? [] : [['Tags', version.tags.map(tag => `#${tag}`).join(' ')] as const]),
  ],
  ...sourceOf(version, isAsHtml),
})

const isSame = (one: Version, other: Version) => JSON.stringify(one) === JSON.stringify(other)

const Versions = ({ change, version, current }: Detail) => {
  const postId = change.post_id
  const restore = useMutation(api.postHistory.restore.mutationOptions())
  const navigate = useNavigate()
  // Leave this view before the queries are refetched, because the restored post's history no longer has this deletion.
  const restoreDeleted = useRestoreDeleted(async () => {
    await navigate({ to: '/posts/$postId', params: { postId } })
    notifySuccess('Post restored')
  })
  const sides = current ? [version, current] : [version]
  // If a version of a Markdown post was kept only as HTML, compare both versions as HTML.
  const isAsHtml = sides.some(({ format, markdown }) => format === 'rich' && markdown === null)
  const left = shown('This version', version, isAsHtml)
  return (
    <>
      <ViewTitle
        title="Earlier version"
        text={
          <>
            {eventOf(change)} <RelativeTime at={change.at} /> by <bdi>{actorName(change)}</bdi>. This is the
            version before that change.
          </>
        }
      >
        <ButtonLink
          variant="default"
          to="/posts/$postId/history"
          params={{ postId }}
          leftSection={<IconHistory size={18} aria-hidden />}
        >
          All changes
        </ButtonLink>
      </ViewTitle>
      <Stack>
        {restore.isSuccess && (
          <Alert color="leaf" role="status" title="Restored">
            <TextLink to="/posts/$postId" params={{ postId }}>
              Open the post
            </TextLink>
          </Alert>
        )}
        <FormFailure error={restore.error ?? restoreDeleted.error} />
        <TwoVersions
          key={`${change.id} ${JSON.stringify(current)}`}
          left={left}
          right={
            current
              ? shown('Current version', current, isAsHtml)
              : { name: 'Current version', fields: [], text: '', language: left.language }
          }
          marksChanges={current !== null}
        />
        {current === null && (
          <Text c="dimmed">
            {change.action === 'delete'
              ? 'The post is deleted.'
              : 'The post is deleted. Restore it first, then restore this version.'}
          </Text>
        )}
        <Group justify="flex-end">
          {current === null ? (
            <Button
              leftSection={<IconRestore size={18} aria-hidden />}
              loading={restoreDeleted.isPending}
              onClick={() => restoreDeleted.mutate(postId)}
            >
              Restore post
            </Button>
          ) : isSame(version, current) ? (
            <Text c="dimmed">This is the current version.</Text>
          ) : (
            <Button
              leftSection={<IconRestore size={18} aria-hidden />}
              loading={restore.isPending}
              onClick={() => restore.mutate({ change_id: change.id })}
            >
              Restore this version
            </Button>
          )}
        </Group>
      </Stack>
    </>
  )
}
