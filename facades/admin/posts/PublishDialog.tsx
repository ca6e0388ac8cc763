import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'

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
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isPending}>
          Cancel
        </Button>
        <Button onClick={onPublish} loading={isPending} data-autofocus>
          Publish post
        </Button>
      </Group>
    </Stack>
  </Modal>
)
