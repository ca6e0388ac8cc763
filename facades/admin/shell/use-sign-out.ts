import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../session.ts'
import { notifyFailure } from '../ui/notify.ts'

/** Returns the mutation that signs out and opens the sign-in view. */
export const useSignOut = () => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: signOut,
    // Don't ask about unsaved changes: the session has already ended, and the drafts are kept.
    onSuccess: () => navigate({ to: '/sign-in', replace: true, ignoreBlocker: true }),
    onError: notifyFailure,
  })
}
