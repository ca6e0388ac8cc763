import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, queryClient } from '../api.ts'
import { notifyDeleted } from '../history/notify-deleted.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { useSpace } from '../use-space.ts'

export interface DeleteButtonProps {
  what: 'page' | 'part'
  id: string
  /** The slug or name. */
  name: string
  /** Called when the dialog opens. */
  onOpen?: () => void
  remove: (id: string) => Promise<unknown>
  /** What the deletion breaks. */
  children: ReactNode
}

/** A button that deletes a page or part after confirmation, opens the list, and offers to undo. */
export const DeleteButton = ({ what, id, name, onOpen, remove, children }: DeleteButtonProps) => {
  const { subdomain } = useSpace()
  const [isAsking, { open, close }] = useDisclosure(false, onOpen ? { onOpen } : {})
  const navigate = useNavigate()
  const deletion = useMutation({
    // Has no key, so that this editor is left before anything is refetched.
    mutationFn: () => remove(id),
    onSuccess: async () => {
      const title = `${what === 'page' ? 'Page' : 'Part'} ${name}`
      notifyDeleted({ subdomain, kind: what, thing: id, title })
      await navigate({ to: `/spaces/$subdomain/${what}s`, params: { subdomain }, ignoreBlocker: true })
      void queryClient.invalidateQueries((what === 'page' ? api.pages : api.parts).pathFilter())
    },
  })
  return (
    <>
      <IconButton label={`Delete this ${what}`} word="Delete" onClick={open}>
        <IconTrash size={18} />
      </IconButton>
      <Confirm
        opened={isAsking}
        onClose={close}
        title={`Delete ${name}?`}
        action={`Delete ${what}`}
        onConfirm={() => deletion.mutate()}
        mutation={deletion}
      >
        {children}
      </Confirm>
    </>
  )
}
