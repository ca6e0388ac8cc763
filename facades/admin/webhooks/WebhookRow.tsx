import { Badge, Button, Group, Text } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { limits } from '../../../routers/api/rules.ts'
import { api, rpc } from '../api.ts'
import { useConfirmedMutation } from '../security/confirmation.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton, rowDanger } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'
import { Deliveries } from './Deliveries.tsx'
import { badgeOf, describeEvents, type SpaceWebhook, sentenceOf } from './describe-webhook.ts'

/** What a dialog about a webhook is for. */
export type WebhookTask = 'deliveries' | 'rotate' | 'remove'

interface WebhookRowProps {
  subdomain: string
  webhook: SpaceWebhook
  onTask: (task: WebhookTask) => void
}

/** A webhook: its state, what it is told about, and what can be done with it. */
export const WebhookRow = ({ subdomain, webhook, onTask }: WebhookRowProps) => {
  const { id, url, events, owner, state, previous_until: overlap } = webhook
  const own = { subdomain, webhook_id: id }
  const onError = notifyFailure
  const test = useMutation(
    api.webhooks.test.mutationOptions({ onSuccess: () => onTask('deliveries'), onError }),
  )
  const toggle = useMutation(api.webhooks.switch.mutationOptions({ onError }))
  const badge = badgeOf(webhook)
  return (
    <Row
      icon={<IconWebhook size={20} />}
      title={<span style={{ overflowWrap: 'anywhere' }}>{url}</span>}
      badges={
        <Badge variant="light" tt="none" color={badge.color} c="var(--mantine-color-text)">
          {badge.label}
        </Badge>
      }
      text={
        <>
          <div role="status">{sentenceOf(webhook)}</div>
          <div>{describeEvents(events)}</div>
          <div>
            Added by {owner} <RelativeTime at={webhook.created_at} />
            {webhook.failing_since !== null && state === 'active' && (
              <>
                ; failing since <RelativeTime at={webhook.failing_since} />
              </>
            )}
          </div>
          {overlap !== null && (
            <div>
              The secret before the last rotation stops working <RelativeTime at={overlap} />.
            </div>
          )}
          <Group gap="xs" mt="xs">
            <Button
              {...rowButton}
              loading={test.isPending}
              aria-label={`Send a test to ${url}`}
              onClick={() => test.mutate(own)}
            >
              Send a test
            </Button>
            <Button {...rowButton} aria-label={`Deliveries to ${url}`} onClick={() => onTask('deliveries')}>
              Deliveries
            </Button>
            {state !== 'untested' && (
              <Button
                {...rowButton}
                loading={toggle.isPending}
                aria-label={`Switch ${state === 'active' ? 'off' : 'on'} ${url}`}
                onClick={() => toggle.mutate({ ...own, is_on: state !== 'active' })}
              >
                Switch {state === 'active' ? 'off' : 'on'}
              </Button>
            )}
            <Button {...rowButton} aria-label={`Rotate secret of ${url}`} onClick={() => onTask('rotate')}>
              Rotate secret
            </Button>
            <Button {...rowDanger} aria-label={`Remove ${url}`} onClick={() => onTask('remove')}>
              Remove
            </Button>
          </Group>
        </>
      }
    />
  )
}

interface WebhookDialogsProps {
  subdomain: string
  webhook: SpaceWebhook
  task: WebhookTask
  onClose: () => void
  /** Called with the new secret. */
  onRotated: (secret: string) => void
  onRemoved: () => void
}

/** Shows the dialog for an action on a webhook. It stays open if the webhook leaves the list. */
export const WebhookDialogs = ({ task, ...props }: WebhookDialogsProps) => {
  if (task === 'deliveries') return <Deliveries {...props} />
  return task === 'rotate' ? <RotateSecret {...props} /> : <RemoveWebhook {...props} />
}

type DialogProps = Omit<WebhookDialogsProps, 'task'>

const RotateSecret = ({ subdomain, webhook, onClose, onRotated }: DialogProps) => {
  useFocusReturn()
  const rotate = useConfirmedMutation({
    gcTime: 0,
    mutationKey: [['webhooks', 'rotate']],
    mutationFn: () => rpc.webhooks.rotate.mutate({ subdomain, webhook_id: webhook.id }),
    onSuccess: ({ secret }) => {
      onClose()
      onRotated(secret)
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Rotate secret?"
      action="Rotate secret"
      onConfirm={() => rotate.mutate()}
      mutation={rotate}
    >
      <Text>
        You get a new secret. For {limits.webhookOverlapHours} hours, everything is signed with both, so that
        you can change your receiver without an interruption.
      </Text>
    </Confirm>
  )
}

const RemoveWebhook = ({ subdomain, webhook, onClose, onRemoved }: DialogProps) => {
  useFocusReturn()
  const remove = useMutation(
    api.webhooks.remove.mutationOptions({
      onSuccess: () => {
        onClose()
        onRemoved()
        notifySuccess('Webhook removed.')
      },
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title="Remove webhook?"
      action="Remove webhook"
      onConfirm={() => remove.mutate({ subdomain, webhook_id: webhook.id })}
      mutation={remove}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        Nothing more is sent to {webhook.url}, and the list of its deliveries is deleted.
      </Text>
    </Confirm>
  )
}
