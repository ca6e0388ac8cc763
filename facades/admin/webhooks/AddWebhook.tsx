import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import { limits } from '../../../routers/api/rules.ts'
import { rpc } from '../api.ts'
import { useConfirmedMutation } from '../security/confirmation.tsx'
import { DialogActions } from '../ui/Confirm.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { ALL_EVENTS, EVENTS_BY_KIND, type WebhookEvent } from './describe-webhook.ts'

interface AddWebhookProps {
  subdomain: string
  /** Called with the secret of the new webhook, which nothing else returns. */
  onAdded: (secret: string) => void
  onClose: () => void
}

/** Dialog that adds a webhook: an address, and what it is told about. */
export const AddWebhook = ({ subdomain, onAdded, onClose }: AddWebhookProps) => {
  useFocusReturn()
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { url: '', events: [...ALL_EVENTS] as string[] } },
    {
      gcTime: 0,
      mutationKey: [['webhooks', 'add']],
      mutationFn: ({ url, events }: { url: string; events: string[] }) =>
        rpc.webhooks.add.mutate({ subdomain, url, events: events as WebhookEvent[] }),
      onSuccess: ({ secret }) => onAdded(secret),
    },
    useConfirmedMutation,
  )
  return (
    <Modal opened onClose={() => !mutation.isPending && onClose()} title="New webhook" size="lg" centered>
      <form {...props(values => values)}>
        <Stack>
          <TextInput
            label="Address"
            description="An https address on the public internet that accepts POST requests."
            placeholder="https://example.com/hook"
            maxLength={limits.webhookUrl}
            required
            withAsterisk={false}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            data-autofocus
            {...form.getInputProps('url')}
          />
          <Checkbox.Group
            label="Events"
            description="You can’t change the events later; add a new webhook instead."
            {...form.getInputProps('events')}
          >
            <Stack gap="xs" mt="xs" mb={6}>
              {EVENTS_BY_KIND.map(([title, events]) => (
                <Group key={title} gap="xs" role="group" aria-label={title}>
                  {events.map(([event, action]) => (
                    <Checkbox key={event} value={event} label={`${title} ${action}`} miw="11rem" />
                  ))}
                </Group>
              ))}
            </Stack>
          </Checkbox.Group>
          {failure}
          <DialogActions onCancel={onClose} isBusy={mutation.isPending}>
            <Button type="submit" loading={mutation.isPending}>
              Add webhook
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
