import { Button, Divider, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { root, rpc } from '../api.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { useSpace } from '../use-space.ts'
import type { DraftPlace } from './draft-place.ts'
import { DraftLinks } from './PreviewLinks.tsx'

interface ShareDraftProps {
  place: DraftPlace
  /** Sends the latest changes to the service. */
  flush: () => Promise<void>
}

/**
 * A button that creates a link with which participants of the space can preview a draft. For a page, its dialog also
 * creates links for anyone.
 */
export const ShareDraft = ({ place: { kind, thing }, flush }: ShareDraftProps) => {
  const { subdomain } = useSpace()
  const sharing = useMutation({
    mutationFn: async () => {
      await flush()
      return rpc.unsaved.share.mutate({ subdomain, kind: kind === 'part' ? 'part' : 'page', thing })
    },
    onError: notifyFailure,
  })
  const link = sharing.data && new URL(`admin/spaces/${subdomain}/drafts/${sharing.data.draft_id}`, root).href
  return (
    <>
      <IconButton
        label="Share a preview of this draft"
        word="Share"
        onClick={() => sharing.mutate()}
        loading={sharing.isPending}
      >
        <IconShare size={18} />
      </IconButton>
      <Modal opened={sharing.isSuccess} onClose={sharing.reset} title="Share a preview" size="lg" centered>
        {sharing.data && link !== undefined && (
          <Stack>
            {kind === 'page' && (
              <Title order={3} size="h5">
                With participants
              </Title>
            )}
            <Text size="sm">
              When participants of this space open this link, they see the draft as it is at that time. The
              link stops working <RelativeTime at={sharing.data.shared_until} />, or earlier if you save or
              discard the draft.
            </Text>
            <TextInput label="Link to the preview" value={link} readOnly w="100%" data-autofocus />
            <Group>
              <CopyButton value={link} what="link to the preview" />
            </Group>
            {kind === 'page' && (
              <>
                <Divider />
                <Title order={3} size="h5">
                  With anyone
                </Title>
                <DraftLinks subdomain={subdomain} thing={thing} />
              </>
            )}
          </Stack>
        )}
      </Modal>
    </>
  )
}

interface KeepDraftButtonProps {
  kept: { flush: () => Promise<void> }
  /** The view that lists the draft. */
  list: '/spaces/$subdomain/pages' | '/spaces/$subdomain/parts'
}

/** Keeps a new page or part as a draft, and opens the list, from which the person can continue editing it. */
export const KeepDraftButton = ({ kept, list }: KeepDraftButtonProps) => {
  const { subdomain } = useSpace()
  const navigate = useNavigate()
  const keeping = useMutation({
    mutationFn: kept.flush,
    onSuccess: async () => {
      await navigate({ to: list, params: { subdomain }, ignoreBlocker: true })
      notifySuccess(
        `Kept as a draft. Only you can see it until you share it or create the ${list.endsWith('pages') ? 'page' : 'part'}.`,
      )
    },
    onError: notifyFailure,
  })
  return (
    <Button variant="default" onClick={() => keeping.mutate()} loading={keeping.isPending}>
      Keep as draft
    </Button>
  )
}
