import { Badge, Button, Code, Modal, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import picture from '../../shared/illustrations/quiet.svg?raw'
import { api } from '../api.ts'
import { Empty } from '../ui/Empty.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { notifyFailure } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import classes from './Deliveries.module.css'
import { resultOf, type SpaceWebhook, type WebhookDelivery } from './describe-webhook.ts'

/** How often the list is read again, in ms: soon while something waits to be sent. */
const POLL = { waiting: 1_000, idle: 10_000 }

interface DeliveriesProps {
  subdomain: string
  webhook: SpaceWebhook
  onClose: () => void
}

/** Dialog with what was sent to a webhook, how its address answered, and a button that sends it again. */
export const Deliveries = ({ subdomain, webhook, onClose }: DeliveriesProps) => {
  useFocusReturn()
  const own = { subdomain, webhook_id: webhook.id }
  const deliveries = useQuery({
    ...api.webhooks.deliveries.queryOptions(own),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state, attempts }) => state === 'waiting' && attempts === 0) ? POLL.waiting : POLL.idle,
  })
  const test = useMutation(api.webhooks.test.mutationOptions({ onError: notifyFailure }))
  const testing = (
    <Button
      variant="default"
      leftSection={<IconSend size={16} aria-hidden />}
      loading={test.isPending}
      onClick={() => test.mutate(own)}
    >
      Send a test
    </Button>
  )
  return (
    <Modal opened onClose={onClose} title="Deliveries" size="lg" centered>
      <Stack align="stretch">
        <Text size="sm" c="dimmed" className={classes.address}>
          To {webhook.url}. The latest {limits.webhookDeliveries}, at most {limits.webhookDeliveryDays} days
          old. What the address answers besides its status is not stored.
        </Text>
        <Loaded query={deliveries} placeholder={<Loading rows={3} height={72} />}>
          {list =>
            list.length === 0 ? (
              <Empty
                picture={picture}
                title="Nothing sent yet"
                text="Send a test to see whether the address works."
              >
                {testing}
              </Empty>
            ) : (
              <>
                <div>{testing}</div>
                <ul className={classes.deliveries} aria-label="Deliveries">
                  {list.map(delivery => (
                    <Delivery key={delivery.id} own={own} delivery={delivery} />
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      </Stack>
    </Modal>
  )
}

const Delivery = ({
  own,
  delivery,
}: {
  own: { subdomain: string; webhook_id: string }
  delivery: WebhookDelivery
}) => {
  const [isOpen, setOpen] = useState(false)
  const {
    id,
    kind,
    changes,
    created_at: created,
    attempted_at: attempted,
    duration,
    error,
    attempts,
  } = delivery
  const again = useMutation(api.webhooks.resend.mutationOptions({ onError: notifyFailure }))
  const badge = resultOf(delivery)
  const what = kind === 'test' ? 'Test' : counted(changes, 'change')
  return (
    <li>
      <Text size="sm" component="div" className={classes.result} role="status">
        <Badge variant="light" tt="none" color={badge.color} c="var(--mantine-color-text)">
          {badge.label}
        </Badge>
        <b>{what}</b>
        <RelativeTime at={created} c="dimmed" />
      </Text>
      {error !== null && <Text size="sm">It could not be sent: {error}.</Text>}
      {attempted !== null && (
        <Text size="xs" c="dimmed" component="div">
          {counted(attempts, 'attempt')}, the last <RelativeTime at={attempted} />
          {duration !== null && `, took ${duration} ms`}
          {delivery.next_attempt_at !== null && (
            <>
              ; the next <RelativeTime at={delivery.next_attempt_at} />
            </>
          )}
        </Text>
      )}
      <Text size="xs" c="dimmed" className={classes.address}>
        webhook-id {id}
      </Text>
      <div className={classes.result}>
        <Button
          {...rowButton}
          aria-expanded={isOpen}
          aria-label={`Payload of ${id}`}
          onClick={() => setOpen(!isOpen)}
        >
          Payload
        </Button>
        <Button
          {...rowButton}
          loading={again.isPending}
          aria-label={`Send again ${id}`}
          onClick={() => again.mutate({ ...own, delivery_id: id })}
        >
          Send again
        </Button>
      </div>
      {isOpen && <Payload own={own} id={id} />}
    </li>
  )
}

const Payload = ({ own, id }: { own: { subdomain: string; webhook_id: string }; id: string }) => {
  const payload = useQuery(api.webhooks.payload.queryOptions({ ...own, delivery_id: id }))
  return (
    <Loaded query={payload} placeholder={<Loading rows={1} height={120} />}>
      {({ body }) => (
        <Code block tabIndex={0} role="region" aria-label={`Payload of ${id}`} className={classes.payload}>
          {JSON.stringify(JSON.parse(body), null, 2)}
        </Code>
      )}
    </Loaded>
  )
}
