import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { type Baseline, baselineOf, type Connection, connectionOf } from './connection.ts'

/** How often the list of keys is read while the dialog is open, in ms. */
const INTERVAL = 2_000
/** Time without progress after which the dialog says what to check, in ms. */
const PATIENCE = 45_000

/** What the dialog knows about the connection. */
interface Waiting {
  /** Null until the keys have been read once. */
  connection: Connection | null
  /** Why the keys could not be read; null if they could. Reading is retried. */
  error: unknown
  /** Whether there has been no progress for a while. */
  isLate: boolean
}

/**
 * Waits for a program to connect to a space.
 *
 * @param issuedId the key that the dialog created
 */
export const useConnection = (subdomain: string, issuedId: string | undefined): Waiting => {
  // Don't use the cached list, which may be older than the dialog.
  const keys = useQuery(
    api.keys.list.queryOptions(
      { subdomain },
      // Refetch in the background too, because the person may be looking at the program instead of this tab.
      { staleTime: 0, refetchInterval: INTERVAL, refetchIntervalInBackground: true },
    ),
  )
  const [before, setBefore] = useState<Baseline | null>(null)
  if (before === null && keys.isFetchedAfterMount && keys.data) setBefore(baselineOf(keys.data))
  const connection = before && keys.data ? connectionOf(keys.data, before, issuedId) : null

  // Restart the timer with each step.
  const step = `${connection?.state} ${issuedId}`
  const [lateStep, setLateStep] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLateStep(step), PATIENCE)
    return () => clearTimeout(timer)
  }, [step])
  return { connection, error: keys.error, isLate: lateStep === step }
}
