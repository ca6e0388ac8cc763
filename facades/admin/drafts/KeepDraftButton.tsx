import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import { useSpace } from '../use-space.ts'

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
