import { Button, List, Modal, Stack, Text } from '@mantine/core'
import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { shownText } from '../../../routers/core/shown-text.ts'
import { api, client, type Outputs, queries } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { useSpace } from '../use-space.ts'
import { actorName, type Change } from './describe.ts'

type Plan = Outputs['history']['previewUndo']

const EFFECTS: Record<Plan['steps'][number]['effect'], string> = {
  delete: 'is deleted',
  bring_back: 'comes back',
  change: 'gets its earlier version',
}

/** Maximum number of items that the preview lists. */
const SHOWN = 20

interface UndoActorProps {
  change: Change
  opened: boolean
  onClose: () => void
}

/**
 * Dialog that previews an undo, and performs it after confirmation: of the whole operation that a change belongs to, or
 * otherwise of everything that the change's actor has done since.
 */
export const UndoActor = ({ change, opened, onClose }: UndoActorProps) => {
  const { subdomain } = useSpace()
  const { operation } = change
  const selection =
    operation === null ? { subdomain, actor: change.actor.id, since: change.at } : { subdomain, operation }
  const plan = useQuery({
    ...api.history.previewUndo.queryOptions(opened ? selection : skipToken),
    staleTime: 0,
  })
  const undo = useMutation({
    mutationFn: () => client.history.undo.mutate(selection),
    onSuccess: ({ steps }) => {
      notifySuccess(`${steps.length} ${steps.length === 1 ? 'item' : 'items'} restored`)
      void queries.invalidateQueries()
      onClose()
    },
  })
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      centered
      title={
        operation === null
          ? `Undo everything by ${shownText(actorName(change.actor))} since this change`
          : 'Undo everything that this operation changed'
      }
    >
      {plan.isPending ? (
        <Loading rows={2} />
      ) : plan.isError ? (
        <FailureView error={plan.error} retry={() => void plan.refetch()} />
      ) : (
        <Stack>
          <PlannedSteps plan={plan.data} />
          <FormFailure error={undo.error} />
          <DialogActions onCancel={onClose}>
            <Button
              loading={undo.isPending}
              disabled={plan.data.steps.length === 0}
              onClick={() => undo.mutate()}
            >
              Undo {plan.data.steps.length === 1 ? '1 item' : `${plan.data.steps.length} items`}
            </Button>
          </DialogActions>
        </Stack>
      )}
    </Modal>
  )
}

const PlannedSteps = ({ plan: { steps, skipped } }: { plan: Plan }) => (
  <>
    <Text size="sm">
      {steps.length === 0
        ? 'There is nothing to undo.'
        : 'Each item goes back to its version before these changes. You can undo this, too.'}
    </Text>
    {steps.length > 0 && (
      <List size="sm">
        {steps.slice(0, SHOWN).map(({ kind, thing, name, effect }) => (
          <List.Item key={`${kind} ${thing}`}>
            {kind} <b>{shownText(name ?? thing)}</b> {EFFECTS[effect]}
          </List.Item>
        ))}
        {steps.length > SHOWN && <List.Item>and {steps.length - SHOWN} more</List.Item>}
      </List>
    )}
    {skipped.length > 0 && (
      <>
        <Text size="sm" fw={600}>
          Skipped
        </Text>
        <List size="sm">
          {skipped.slice(0, SHOWN).map(({ kind, thing, name, reason, later }) => (
            <List.Item key={`${kind} ${thing}`}>
              {kind} <b>{shownText(name ?? thing)}</b>:{' '}
              {reason === 'name_taken' || !later ? (
                'another item now has its earlier name'
              ) : (
                <>
                  later changed by{' '}
                  {shownText(
                    actorName({ kind: later.actor_kind, label: later.actor_label, handle: later.handle }),
                  )}
                  , <RelativeTime at={later.at} />
                </>
              )}
            </List.Item>
          ))}
          {skipped.length > SHOWN && <List.Item>and {skipped.length - SHOWN} more</List.Item>}
        </List>
      </>
    )}
  </>
)
