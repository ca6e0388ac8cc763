import { ActionIcon, Modal, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { client, root } from '../api.ts'
import { CopyButton } from '../feedback/CopyButton.tsx'
import { notifyFailure } from '../feedback/notify.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { useSpace } from '../use-space.ts'
import type { DraftPlace } from './draft-place.ts'

interface ShareDraftProps {
  place: DraftPlace
  /** Sends the latest changes to the service. */
  flush: () => Promise<void>
}

/** A button that creates a link with which participants of the space can preview a draft. */
export const ShareDraft = ({ place: { kind, thing }, flush }: ShareDraftProps) => {
  const { subdomain } = useSpace()
  const sharing = useMutation({
    mutationFn: async () => {
      await flush()
      return client.unsaved.share.mutate({ subdomain, kind: kind === 'part' ? 'part' : 'page', thing })
    },
    onError: notifyFailure,
  })
  const link = sharing.data && new URL(`admin/spaces/${subdomain}/drafts/${sharing.data.draft_id}`, root).href
  return (
    <>
      <Tooltip label="Share a preview of this draft">
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Share a preview of this draft"
          onClick={() => sharing.mutate()}
          loading={sharing.isPending}
        >
          <IconShare size={18} />
        </ActionIcon>
      </Tooltip>
      <Modal opened={sharing.isSuccess} onClose={sharing.reset} title="Share a preview" centered>
        {sharing.data && link !== undefined && (
          <Stack align="flex-start">
            <Text size="sm">
              When participants of this space open this link, they see the draft as it is at that time. The
              link stops working <RelativeTime at={sharing.data.shared_until} />, or earlier if you save or
              discard the draft.
            </Text>
            <TextInput label="Link to the preview" value={link} readOnly w="100%" data-autofocus />
            <CopyButton value={link} what="link to the preview" />
          </Stack>
        )}
      </Modal>
    </>
  )
}
