import { Badge, Button, Group, Text } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api, rpc } from '../api.ts'
import { useConfirmedMutation } from '../security/confirmation.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton, rowDanger } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'
import { Deliveries } from './Deliveries.tsx'
import { badgeOf, describeEvents, type SpaceWebhook, sentenceOf } from './describe-webhook.ts'

interface WebhookRowProps {
  subdomain: string
  webhook: SpaceWebhook
  /** Called with the new secret. */
  onRotated: (secret: string) => void
  onRemoved: () => void
}

/** A webhook: its state, what it is told about, and what can be done with it. */
export const WebhookRow = ({ subdomain, webhook, onRotated, onRemoved }: WebhookRowProps) => {
  const [dialog, setDialog] = useState<'deliveries' | 'rotate' | 'remove' | null>(null)
  const close = () => setDialog(null)
  const { id, url, events, owner, state, previous_until: overlap } = webhook
  const own = { subdomain, webhook_id: id }
  const onError = notifyFailure
  const test = useMutation(
    api.webhooks.test.mutationOptions({ onSuccess: () => setDialog('deliveries'), onError }),
  )
  const toggle = useMutation(api.webhooks.switch.mutationOptions({ onError }))
  const rotate = useConfirmedMutation({
    gcTime: 0,
    mutationKey: [['webhooks', 'rotate']],
    mutationFn: () => rpc.webhooks.rotate.mutate(own),
    onSuccess: ({ secret }) => {
      close()
      onRotated(secret)
    },
  })
  const remove = useMutation(
    api.webhooks.remove.mutationOptions({
      onSuccess: () => {
        close()
        onRemoved()
        notifySuccess('Webhook removed.')
      },
    }),
  )
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
            <Button
              {...rowButton}
              aria-label={`Deliveries to ${url}`}
              onClick={() => setDialog('deliveries')}
            >
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
            <Button {...rowButton} aria-label={`Rotate secret of ${url}`} onClick={() => setDialog('rotate')}>
              Rotate secret
            </Button>
            <Button {...rowDanger} aria-label={`Remove ${url}`} onClick={() => setDialog('remove')}>
              Remove
            </Button>
          </Group>
        </>
      }
    >
      {dialog === 'deliveries' && <Deliveries subdomain={subdomain} webhook={webhook} onClose={close} />}
      <Confirm
        opened={dialog === 'rotate'}
        onClose={close}
        title="Rotate secret?"
        action="Rotate secret"
        onConfirm={() => rotate.mutate()}
        mutation={rotate}
      >
        <Text>
          You get a new secret. For {limits.webhookOverlapHours} hours, everything is signed with both, so
          that you can change your receiver without an interruption.
        </Text>
      </Confirm>
      <Confirm
        opened={dialog === 'remove'}
        onClose={close}
        title="Remove webhook?"
        action="Remove webhook"
        onConfirm={() => remove.mutate(own)}
        mutation={remove}
      >
        <Text style={{ overflowWrap: 'anywhere' }}>
          Nothing more is sent to {url}, and the list of its deliveries is deleted.
        </Text>
      </Confirm>
    </Row>
  )
}
