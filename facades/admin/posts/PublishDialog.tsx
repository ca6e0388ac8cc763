import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'

interface PublishDialogProps {
  opened: boolean
  onClose: () => void
  onPublish: () => void
  isPending: boolean
}

/** Asks before a draft becomes public, and says what that means. */
export const PublishDialog = ({ opened, onClose, onPublish, isPending }: PublishDialogProps) => (
  <Modal opened={opened} onClose={onClose} title="Publish this post?" centered>
    <Stack>
      <Text>It is public at once: on the timeline, on your profile and at an address of its own.</Text>
      <List size="sm" spacing={4}>
        <List.Item>You can change what it says later; readers see that at once too.</List.Item>
        <List.Item>Its tags stay as they are.</List.Item>
        <List.Item>It cannot become a draft again, but you can delete it.</List.Item>
      </List>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isPending}>
          Cancel
        </Button>
        <Button onClick={onPublish} loading={isPending} data-autofocus>
          Publish now
        </Button>
      </Group>
    </Stack>
  </Modal>
)
