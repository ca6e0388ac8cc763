import { Alert, Button, type ButtonProps, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAppWindow, IconCloudOff, IconRestore, IconUsers } from '@tabler/icons-react'
import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf } from '../ui/failure.ts'
import { notifyFailure } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import type { DraftPlace } from './draft-place.ts'
import type { Autosave } from './use-editing.ts'

/** How often to check for other people's drafts, in ms. */
const CHECK_INTERVAL = 15_000

interface DraftNoticesProps {
  place: DraftPlace
  /** The item, if it is not the one that the view is about. */
  what?: string
  /** When the restored changes were made; null if nothing was restored. */
  restoredAt: string | null
  kept: Pick<Autosave<unknown>, 'failure' | 'rival' | 'replaceRival'>
  onDiscard: () => void
}

/**
 * Notices about unsaved changes to an item. They say that your changes were restored, that your changes could
 * not be kept, that you have other changes in another window, or that other people have unsaved changes too.
 */
export const DraftNotices = ({ place, what, restoredAt, kept, onDiscard }: DraftNoticesProps) => {
  const { failure, rival, replaceRival } = kept
  const replacing = useMutation({ mutationFn: replaceRival, onError: notifyFailure })
  const { subdomain, kind, thing, isNew } = place
  const others = useQuery(
    api.unsaved.others.queryOptions(
      subdomain === null || kind === 'post' || isNew ? skipToken : { subdomain, kind, thing },
      { refetchInterval: CHECK_INTERVAL },
    ),
  )
  return (
    <>
      {restoredAt !== null && (
        <Alert color="gray" mb="md" icon={<IconRestore aria-hidden />} role="status">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              Restored your unsaved changes{what && ` to ${what}`}, last edited{' '}
              <RelativeTime at={restoredAt} />.
            </Text>
            <DiscardDraft text="Discard changes" onDiscard={onDiscard} />
          </Group>
        </Alert>
      )}
      {rival !== null && (
        <Alert color="yellow" mb="md" icon={<IconAppWindow aria-hidden />} role="status">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              You have other unsaved changes in another window, last edited <RelativeTime at={rival.at} />.
              The changes in this window are kept in this browser only.
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => replacing.mutate()}
              loading={replacing.isPending}
            >
              Keep these instead
            </Button>
          </Group>
        </Alert>
      )}
      {others.data?.map(({ handle, updated_at }) => (
        <Alert key={handle} color="gray" mb="md" icon={<IconUsers aria-hidden />} role="status">
          <Text size="sm">
            <bdi>{handle}</bdi> has unsaved changes, last edited <RelativeTime at={updated_at} />.
          </Text>
        </Alert>
      ))}
      {others.error && failureOf(others.error).kind === 'signed-out' && <FormFailure error={others.error} />}
      {failure !== null && failureOf(failure).code === 'limit_reached' && (
        <Alert color="yellow" mb="md" icon={<IconCloudOff aria-hidden />} role="status">
          <Text size="sm">
            Your unsaved changes are kept in this browser only. {failureOf(failure).detail}
          </Text>
        </Alert>
      )}
    </>
  )
}

interface DiscardDraftProps {
  /** The button's text. */
  text: string
  /** The button's accessible name, if it differs from the text. */
  label?: string
  size?: ButtonProps['size']
  isPending?: boolean
  onDiscard: () => void
}

/** A button that discards unsaved changes. Asks first, because no history contains them. */
export const DiscardDraft = ({
  text,
  label,
  size = 'compact-sm',
  isPending = false,
  onDiscard,
}: DiscardDraftProps) => {
  const [isAsking, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" size={size} onClick={open} loading={isPending} aria-label={label}>
        {text}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={close}
        title="Discard your unsaved changes?"
        action="Discard"
        onConfirm={() => {
          close()
          onDiscard()
        }}
      >
        <Text size="sm">You can’t restore them. Saved versions are not affected.</Text>
      </Confirm>
    </>
  )
}
