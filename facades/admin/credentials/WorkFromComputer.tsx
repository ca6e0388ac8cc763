import { Anchor, Button, List, Modal, Stack, Text } from '@mantine/core'
import { root } from '../api.ts'
import { Snippet } from '../ui/CopyButton.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'

/** Says how to work on a space in a folder, with the line to copy. */
export const WorkFromComputer = ({ subdomain, onClose }: { subdomain: string; onClose: () => void }) => {
  useFocusReturn()
  const program = `npx --yes ${new URL('space-site.tgz', root).href}`
  return (
    <Modal opened onClose={onClose} title="Work from your computer" size="lg" centered>
      <Stack>
        <Text size="sm">
          Edit the space as a folder of files, with your own editor, with git and offline. You need Node.js 20
          or newer and no account for npm.
        </Text>
        <Snippet
          label="Run this in a terminal"
          text={`${program} clone ${new URL(`admin/spaces/${subdomain}`, root).href}`}
        />
        <List type="ordered" size="sm" spacing="xs">
          <List.Item>
            Your browser opens and asks whether this computer may work on the space. It then appears among the
            keys, where you can end its access.
          </List.Item>
          <List.Item>The space is copied into a new folder. Open it in your editor.</List.Item>
          <List.Item>
            Run one of the commands below in that folder. The first keeps folder and space equal while it
            runs; the second shows what you changed, asks, and publishes it as one change.
          </List.Item>
        </List>
        <Snippet label="In the folder" text={`${program} sync\n${program} push`} />
        <Text size="sm">
          <Anchor href={new URL('docs#computer', root).href} underline="always">
            All commands, and how to publish from a repository
          </Anchor>
        </Text>
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Stack>
    </Modal>
  )
}
