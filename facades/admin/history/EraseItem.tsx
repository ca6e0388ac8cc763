import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { shownText } from '../../../routers/api/shown-text.ts'
import { client, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifySuccess } from '../feedback/notify.ts'
import { ConfirmationProvider, useConfirmedMutation } from '../security/confirmation.tsx'
import { type Change, titleOf } from './describe.ts'

interface EraseItemProps {
  subdomain: string
  /** The change that deleted the item. */
  change: Change
}

/** Deletes all versions of a deleted item from the history. */
export const EraseItem = (props: EraseItemProps) => (
  <ConfirmationProvider>
    <EraseButton {...props} />
  </ConfirmationProvider>
)

const EraseButton = ({ subdomain, change }: EraseItemProps) => {
  const navigate = useNavigate()
  const [isAsking, asking] = useDisclosure()
  const title = shownText(titleOf(change))
  const erase = useConfirmedMutation({
    // Has no key, so that this view is left before anything is refetched.
    mutationFn: () => client.history.erase.mutate({ subdomain, change_id: change.id }),
    onSuccess: async () => {
      await navigate({ to: '/spaces/$subdomain/history', params: { subdomain }, replace: true })
      void queries.invalidateQueries()
      notifySuccess(`${title} deleted permanently.`)
    },
  })
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={18} aria-hidden />}
        onClick={asking.open}
      >
        Delete permanently
      </Button>
      <Confirm
        opened={isAsking}
        onClose={asking.close}
        title={`Delete ${title} permanently?`}
        action="Delete permanently"
        onConfirm={() => erase.mutate()}
        mutation={erase}
      >
        <Stack gap="xs">
          <Text>
            This deletes all of its versions from the history. Nobody can restore it afterwards. Undoing other
            changes does not bring it back.
          </Text>
          <Text>The audit log still shows the item’s name and who deleted it.</Text>
        </Stack>
      </Confirm>
    </>
  )
}
