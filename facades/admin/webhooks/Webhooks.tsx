import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api, root } from '../api.ts'
import { ConfirmationProvider } from '../security/confirmation.tsx'
import { Snippet } from '../ui/CopyButton.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Rows } from '../ui/Rows.tsx'
import { SecretDialog } from '../ui/SecretDialog.tsx'
import { Section } from '../ui/Section.tsx'
import { AddWebhook } from './AddWebhook.tsx'
import type { SpaceWebhook } from './describe-webhook.ts'
import { WebhookDialogs, WebhookRow, type WebhookTask } from './WebhookRow.tsx'

/** How often the list is read again, in ms: soon while something waits to be sent. */
const POLL = { waiting: 2_000, idle: 30_000 }

/** The webhooks of a space: adds them and lists them. */
export const Webhooks = ({ subdomain }: { subdomain: string }) => {
  const button = useRef<HTMLButtonElement>(null)
  const [isAdding, setAdding] = useState(false)
  const [open, setOpen] = useState<{ task: WebhookTask; webhook: SpaceWebhook } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const webhooks = useQuery({
    ...api.webhooks.list.queryOptions({ subdomain }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ next_attempt_at: next }) => next !== null) ? POLL.waiting : POLL.idle,
  })
  return (
    <Section
      title="Webhooks"
      text={
        <>
          Addresses of your own programs that are told what changes in this space, up to {limits.webhooks}.{' '}
          <Anchor href={new URL('docs#webhooks', root).href} underline="always">
            How a receiver works
          </Anchor>
        </>
      }
      action={
        <Button ref={button} variant="default" onClick={() => setAdding(true)}>
          Add a webhook
        </Button>
      }
    >
      <ConfirmationProvider>
        <Loaded query={webhooks} placeholder={<Loading rows={1} height={72} />}>
          {shown =>
            shown.length === 0 ? (
              <Text size="sm" c="dimmed">
                There are none yet.
              </Text>
            ) : (
              <Rows label="Webhooks">
                {shown.map(webhook => (
                  <WebhookRow
                    key={webhook.id}
                    subdomain={subdomain}
                    webhook={webhook}
                    onTask={task => setOpen({ task, webhook })}
                  />
                ))}
              </Rows>
            )
          }
        </Loaded>
        {open && (
          <WebhookDialogs
            subdomain={subdomain}
            {...open}
            onClose={() => setOpen(null)}
            onRotated={setSecret}
            onRemoved={() => focusAfterDialog(button)}
          />
        )}
        {isAdding && (
          <AddWebhook
            subdomain={subdomain}
            onAdded={added => {
              setAdding(false)
              setSecret(added)
            }}
            onClose={() => setAdding(false)}
          />
        )}
      </ConfirmationProvider>
      <SecretDialog
        opened={secret !== null}
        what="secret"
        title="The secret of the webhook"
        onSaved={() => setSecret(null)}
      >
        <Text>With this secret, your receiver checks that a message comes from this service.</Text>
        <Snippet label="Secret" text={secret ?? ''} />
        <Text>Set it up in your receiver, then send a test.</Text>
      </SecretDialog>
    </Section>
  )
}
