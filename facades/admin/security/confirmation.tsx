import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { failureOf } from '../feedback/failure.ts'
import { ConfirmationDialog } from './ConfirmationDialog.tsx'

/** The person has closed the question; what was to be done is left alone. */
class NotConfirmed extends Error {}

/** What a form shows of an error: nothing of a question that the person closed. */
export const unlessCancelled = (error: unknown): unknown => (error instanceof NotConfirmed ? null : error)

type Confirmed = <T>(work: () => Promise<T>) => Promise<T>

const Context = createContext<Confirmed>(work => work())

/**
 * Does what only somebody may who has just shown who they are: where the service asks for that, so does the screen,
 * and then does it again.
 */
export const useConfirmation = () => useContext(Context)

interface Question {
  answer: () => void
  close: () => void
}

/** Around views with such deeds. */
export const ConfirmationProvider = ({ children }: { children: ReactNode }) => {
  const [question, setQuestion] = useState<Question | null>(null)
  const confirmed: Confirmed = useCallback(async work => {
    try {
      return await work()
    } catch (error) {
      if (failureOf(error).code !== 'confirmation_required') throw error
    }
    try {
      await new Promise<void>((answer, refuse) =>
        setQuestion({ answer, close: () => refuse(new NotConfirmed()) }),
      )
    } finally {
      setQuestion(null)
    }
    return work()
  }, [])
  return (
    <Context value={confirmed}>
      {children}
      <ConfirmationDialog
        opened={question !== null}
        onConfirmed={() => question?.answer()}
        onClose={() => question?.close()}
      />
    </Context>
  )
}
