import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp, IconHistory, IconRestore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { shownText } from '../../../routers/core/shown-text.ts'
import { api } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ButtonLink, TextLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { Comparison } from './Comparison.tsx'
import { actorName, type Change, eventOf, titleOf } from './describe.ts'
import { RestoreName } from './RestoreName.tsx'
import { UndoActor } from './UndoActor.tsx'
import { useRestore } from './use-restore.ts'

/** One change: the versions before and after it side by side, and what can be restored. */
export const ChangeDetail = () => {
  const { subdomain } = useSpace()
  const { changeId } = useParams({ from: '/signed-in/spaces/$subdomain/history/$changeId' })
  const detail = useQuery(api.history.get.queryOptions({ subdomain, change_id: changeId }))
  if (detail.isPending) return <Loading />
  if (detail.isError)
    return <FailureView level={1} error={detail.error} retry={() => void detail.refetch()} />
  return <Detail {...detail.data} />
}

const Detail = ({
  change,
  before,
  after,
}: {
  change: Change
  before: Parameters<typeof Comparison>[0]['before']
  after: Parameters<typeof Comparison>[0]['after']
}) => {
  const { subdomain, name } = useSpace()
  const restore = useRestore(subdomain, change)
  const [isUndoing, undoing] = useDisclosure()
  const title = shownText(titleOf(change))
  return (
    <>
      <ViewTitle
        title={title}
        of={name}
        text={
          <>
            {shownText(eventOf(change))} <RelativeTime at={change.at} /> by{' '}
            {shownText(actorName(change.actor))}
          </>
        }
      >
        <ButtonLink
          variant="default"
          to="/spaces/$subdomain/history"
          params={{ subdomain }}
          search={{ kind: change.kind, thing: change.thing }}
          leftSection={<IconHistory size={18} aria-hidden />}
        >
          All changes
        </ButtonLink>
      </ViewTitle>
      <Stack>
        {restore.done && (
          <Alert color="leaf" role="status" title="Restored">
            The restore is itself a change in the{' '}
            <TextLink
              to="/spaces/$subdomain/history"
              params={{ subdomain }}
              search={{ kind: change.kind, thing: change.thing }}
            >
              history
            </TextLink>
            , so you can undo it.
          </Alert>
        )}
        <RestoreName restore={restore} change={change} />
        <Comparison change={change} before={before} after={after} />
        <Group justify="flex-end">
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconArrowBackUp size={18} aria-hidden />}
            onClick={undoing.open}
          >
            Undo more changes
          </Button>
          {before === null ? (
            <Button variant="default" loading={restore.isPending} onClick={() => restore.run('before')}>
              Undo this creation
            </Button>
          ) : (
            <Button
              variant={after === null ? 'filled' : 'default'}
              leftSection={<IconRestore size={18} aria-hidden />}
              loading={restore.isPending}
              onClick={() => restore.run('before')}
            >
              {after === null ? 'Restore it' : 'Restore the previous version'}
            </Button>
          )}
          {after !== null && (
            <Button
              leftSection={<IconRestore size={18} aria-hidden />}
              loading={restore.isPending}
              onClick={() => restore.run('after')}
            >
              Restore this version
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed" ta="right">
          Restoring writes the version again. Nothing in the history is lost.
        </Text>
      </Stack>
      <UndoActor change={change} opened={isUndoing} onClose={undoing.close} />
    </>
  )
}
