import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { failureOf } from '../ui/failure.ts'
import { ConfirmationDialog } from './ConfirmationDialog.tsx'

/** The person closed the dialog, so the action was not performed. */
class ConfirmationCancelled extends Error {}

type WithConfirmation = <T>(action: () => Promise<T>) => Promise<T>

const Context = createContext<WithConfirmation>(action => action())

/**
 * A mutation that may require a recent confirmation. If the service requires one, a dialog opens, and the mutation is
 * repeated after the person has confirmed. If the person closes the dialog, the mutation ends without an error to show.
 */
export const useConfirmedMutation = <Data, Failure = Error, Input = void>({
  mutationFn,
  onError,
  ...options
}: UseMutationOptions<Data, Failure, Input>) => {
  const withConfirmation = useContext(Context)
  const mutation = useMutation<Data, Failure, Input>({
    ...options,
    mutationFn: (input, context) => withConfirmation(() => mutationFn!(input, context)),
    onError: (error, ...about) =>
      error instanceof ConfirmationCancelled ? undefined : onError?.(error, ...about),
  })
  const error = mutation.error instanceof ConfirmationCancelled ? null : mutation.error
  return { ...mutation, error } as typeof mutation
}

interface PendingConfirmation {
  confirm: () => void
  cancel: () => void
}

/** Provides `useConfirmedMutation` to the views inside it, and renders the dialog. */
export const ConfirmationProvider = ({ children }: { children: ReactNode }) => {
  const [pending, setPending] = useState<PendingConfirmation | null>(null)
  // If more actions need a confirmation while the dialog is open, they wait for the same confirmation.
  const answer = useRef<Promise<void>>(null)
  const withConfirmation: WithConfirmation = useCallback(async action => {
    try {
      return await action()
    } catch (error) {
      if (failureOf(error).code !== 'confirmation_required') throw error
    }
    answer.current ??= new Promise<void>((confirm, reject) =>
      setPending({ confirm, cancel: () => reject(new ConfirmationCancelled()) }),
    ).finally(() => {
      answer.current = null
      setPending(null)
    })
    await answer.current
    return action()
  }, [])
  return (
    <Context value={withConfirmation}>
      {children}
      <ConfirmationDialog
        opened={pending !== null}
        onConfirmed={() => pending?.confirm()}
        onClose={() => pending?.cancel()}
      />
    </Context>
  )
}
