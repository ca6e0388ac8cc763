import { Button, List, Modal, Stack, Text } from '@mantine/core'
import { DialogActions } from '../feedback/DialogActions.tsx'

interface PublishDialogProps {
  opened: boolean
  onClose: () => void
  onPublish: () => void
  isPending: boolean
}

/** Asks before a draft is published, and says what cannot be changed afterwards. */
export const PublishDialog = ({ opened, onClose, onPublish, isPending }: PublishDialogProps) => (
  <Modal opened={opened} onClose={onClose} title="Publish this post?" centered>
    <Stack>
      <Text>It goes public immediately: on the timeline, on your profile and at its own address.</Text>
      <List size="sm" spacing={4}>
        <List.Item>You can edit it later; readers see changes as soon as you save them.</List.Item>
        <List.Item>You can’t change tags after publishing.</List.Item>
        <List.Item>You can’t turn it back into a draft, but you can delete it.</List.Item>
      </List>
      <DialogActions onCancel={onClose} isBusy={isPending}>
        <Button onClick={onPublish} loading={isPending} data-autofocus>
          Publish post
        </Button>
      </DialogActions>
    </Stack>
  </Modal>
)
