import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp, IconColumns, IconRestore, IconTrash } from '@tabler/icons-react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api, queryClient, rpc } from '../api.ts'
import { ConfirmationProvider, useConfirmedMutation } from '../security/confirmation.tsx'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useRole } from '../use-role.ts'
import { useSpace } from '../use-space.ts'
import { Comparison } from './Comparison.tsx'
import { actorName, type Change, eventOf, type State, titleOf } from './describe.ts'
import { AllChanges } from './links.tsx'
import { RestoreStatus } from './RestoreStatus.tsx'
import { UndoDialog } from './UndoDialog.tsx'
import { type Restore, useRestore } from './use-restore.ts'

/** One change: the versions before and after it side by side, and what can be restored. */
export const ChangeDetail = () => {
  const { subdomain } = useSpace()
  const { changeId } = useParams({ from: '/signed-in/spaces/$subdomain/history/$changeId' })
  const detail = useQuery(api.history.get.queryOptions({ subdomain, change_id: changeId }))
  return (
    <Loaded query={detail} level={1}>
      {found => <Detail {...found} />}
    </Loaded>
  )
}

const Detail = ({ change, before, after }: { change: Change; before: State; after: State }) => {
  const { subdomain, name } = useSpace()
  const role = useRole(subdomain)
  const restore = useRestore(subdomain, change)
  // The current version, if the deleted item exists again.
  const current = useQuery(
    api.history.compare.queryOptions(restore.existsAgain ? { subdomain, from: change.id } : skipToken),
  )
  const now = restore.existsAgain ? current.data : undefined
  const showsCurrent = now !== undefined
  const [isUndoing, undoing] = useDisclosure()
  const title = shownText(titleOf(change))
  const { operation } = change
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
        {after !== null && (
          <ButtonLink
            variant="default"
            to="/spaces/$subdomain/history/compare"
            params={{ subdomain }}
            search={{ from: change.id }}
            leftSection={<IconColumns size={18} aria-hidden />}
          >
            Compare with now
          </ButtonLink>
        )}
        <AllChanges change={change} />
      </ViewTitle>
      <Stack>
        <RestoreStatus restore={restore} change={change} />
        {showsCurrent && <ExistsAgain restore={restore} change={change} />}
        <FormFailure error={current.error} />
        <Comparison
          kind={change.kind}
          left={{ name: showsCurrent ? 'Deleted version' : 'Before', state: before }}
          right={showsCurrent ? { name: 'Now', state: now.to } : { name: 'After', state: after }}
        />
        {(before === null || after === null) && !showsCurrent && (
          <Text c="dimmed">
            {before === null ? 'It did not exist before.' : 'It does not exist after this change.'}
          </Text>
        )}
        {change.trimmed && before !== null && (
          <Text c="dimmed">
            Older versions are no longer kept. The previous version is the oldest one you can restore.
          </Text>
        )}
        <Group justify="flex-end">
          {after === null && !showsCurrent && (
            <EraseItem subdomain={subdomain} change={change} isEditor={role === 'editor'} />
          )}
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconArrowBackUp size={18} aria-hidden />}
            onClick={undoing.open}
          >
            {change.cause === 'import' ? 'Undo the whole import' : 'Undo more changes'}
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
      {isUndoing && (
        <UndoDialog
          title={
            operation === null
              ? `Undo everything by ${shownText(actorName(change.actor))} from this change on`
              : 'Undo everything that this operation changed'
          }
          selection={operation === null ? { actor: change.actor.id, since: change.at } : { operation }}
          onClose={undoing.close}
        />
      )}
    </>
  )
}

interface EraseItemProps {
  subdomain: string
  /** The change that deleted the item. */
  change: Change
  /** Whether the person is an editor, who only sees a dialog that was open before they became one. */
  isEditor: boolean
}

/** Deletes all versions of a deleted item from the history. */
export const EraseItem = (props: EraseItemProps) => (
  <ConfirmationProvider>
    <EraseButton {...props} />
  </ConfirmationProvider>
)

const EraseButton = ({ subdomain, change, isEditor }: EraseItemProps) => {
  const navigate = useNavigate()
  const [isAsking, asking] = useDisclosure()
  const title = shownText(titleOf(change))
  const erase = useConfirmedMutation({
    // Has no key, so that this view is left before anything is refetched.
    mutationFn: () => rpc.history.erase.mutate({ subdomain, change_id: change.id }),
    onSuccess: async () => {
      await navigate({ to: '/spaces/$subdomain/history', params: { subdomain }, replace: true })
      void queryClient.invalidateQueries()
      notifySuccess(`${title} deleted permanently.`)
    },
  })
  return (
    <>
      {!isEditor && (
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={18} aria-hidden />}
          onClick={asking.open}
        >
          Delete permanently
        </Button>
      )}
      <Confirm
        opened={isAsking}
        onClose={asking.close}
        title={`Delete ${title} permanently?`}
        action="Delete permanently"
        onConfirm={() => erase.mutate()}
        mutation={erase}
      >
        <Stack gap="xs">
          <Text>
            This deletes all of its versions from the history. Nobody can restore it afterwards. Undoing other
            changes does not bring it back.
          </Text>
          <Text>The audit log still shows the item’s name and who deleted it.</Text>
        </Stack>
      </Confirm>
    </>
  )
}

/** Says that a deleted item exists again, and offers to replace it with the deleted version. */
export const ExistsAgain = ({ restore, change }: { restore: Restore; change: Change }) => (
  <Alert color="yellow" role="status" title={`${shownText(titleOf(change))} exists again`}>
    <Group justify="space-between" gap="sm">
      <Text size="sm" style={{ flex: '1 1 14rem' }}>
        Nothing was restored. Below, the deleted version is beside the current one. If you replace the current
        version, it stays in the history.
      </Text>
      <Button variant="default" loading={restore.isPending} onClick={restore.replace}>
        Replace the current version
      </Button>
    </Group>
  </Alert>
)
