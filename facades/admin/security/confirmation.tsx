import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { failureOf } from '../feedback/failure.ts'
import { ConfirmationDialog } from './ConfirmationDialog.tsx'

/** The person closed the dialog, so the action was not performed. */
class ConfirmationCancelled extends Error {}

/** Returns the error to show, or null if the person closed the confirmation dialog. */
export const unlessCancelled = (error: unknown): unknown =>
  error instanceof ConfirmationCancelled ? null : error

type WithConfirmation = <T>(action: () => Promise<T>) => Promise<T>

const Context = createContext<WithConfirmation>(action => action())

/**
 * Returns a function that performs an action which may require a recent confirmation. If the service requires one, the
 * function opens the dialog, and repeats the action after the person has confirmed.
 *
 * @throws ConfirmationCancelled if the person closes the dialog
 */
export const useConfirmation = () => useContext(Context)

interface PendingConfirmation {
  confirm: () => void
  cancel: () => void
}

/** Provides `useConfirmation` to the views inside it, and renders the dialog. */
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
