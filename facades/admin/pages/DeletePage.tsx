import { ActionIcon, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, type Outputs, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifyDeleted } from '../history/notify-deleted.ts'

/** A button that deletes a page after confirmation. */
export const DeletePage = ({ subdomain, page }: { subdomain: string; page: Outputs['pages']['get'] }) => {
  const [isAsking, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const remove = useMutation(
    api.pages.delete.mutationOptions({
      onSuccess: async () => {
        notifyDeleted({ subdomain, kind: 'page', thing: page.id, title: `Page ${page.slug}` })
        await navigate({ to: '/spaces/$subdomain/pages', params: { subdomain }, ignoreBlocker: true })
        void queries.invalidateQueries(api.pages.pathFilter())
      },
    }),
  )
  return (
    <>
      <Tooltip label="Delete this page">
        <ActionIcon variant="default" size={36} aria-label="Delete this page" onClick={open}>
          <IconTrash size={18} />
        </ActionIcon>
      </Tooltip>
      <Confirm
        opened={isAsking}
        onClose={close}
        title={`Delete ${page.slug}?`}
        action="Delete page"
        onConfirm={() => remove.mutate({ subdomain, page_id: page.id })}
        pending={remove.isPending}
        error={remove.error}
      >
        {page.url} stops working immediately. You can restore it from the history.
      </Confirm>
    </>
  )
}
