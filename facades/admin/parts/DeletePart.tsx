import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, type Outputs, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifyDeleted } from '../history/notify-deleted.ts'
import { BrokenUses, countUses } from './UsedBy.tsx'

/** A button that deletes a part, after confirmation. The dialog lists the pages and parts that would break. */
export const DeletePart = ({ subdomain, part }: { subdomain: string; part: Outputs['parts']['get'] }) => {
  const [isAsking, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const remove = useMutation(
    api.parts.delete.mutationOptions({
      onSuccess: async () => {
        notifyDeleted({ subdomain, kind: 'part', thing: part.id, title: `Part ${part.name}` })
        await navigate({ to: '/spaces/$subdomain/parts', params: { subdomain }, ignoreBlocker: true })
        void queries.invalidateQueries(api.parts.pathFilter())
      },
    }),
  )
  const users = countUses(part.used_by)
  return (
    <>
      <Tooltip label="Delete this part">
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Delete this part"
          onClick={() => {
            // Pages that use this part may have changed since the view was opened.
            void queries.invalidateQueries(api.parts.get.pathFilter())
            open()
          }}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Tooltip>
      <Confirm
        opened={isAsking}
        onClose={close}
        title={`Delete ${part.name}?`}
        action="Delete part"
        onConfirm={() => remove.mutate({ subdomain, part_id: part.id })}
        pending={remove.isPending}
        error={remove.error}
      >
        <Text size="sm">You can restore it from the history.</Text>
        {users && (
          <>
            <Text size="sm" mt="xs">
              {users} will show an error:
            </Text>
            <BrokenUses uses={part.used_by} />
          </>
        )}
      </Confirm>
    </>
  )
}
