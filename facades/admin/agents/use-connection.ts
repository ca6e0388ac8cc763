import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { type Baseline, baselineOf, type Connection, connectionOf } from './connection.ts'

/** How often the list of keys is read while the dialog is open, in ms. */
const INTERVAL = 2_000
/** How long it takes until the dialog says what to check, in ms. */
const PATIENCE = 45_000

/** What the dialog knows about the connection. */
interface Waiting {
  /** Null until the keys have been read once. */
  connection: Connection | null
  /** The keys could not be read; reading is repeated. */
  error: unknown
  /** Whether nothing has happened for a while. */
  isLate: boolean
}

/**
 * Waits for a program to connect to a space.
 *
 * @param issuedId the key that the dialog created
 */
export const useConnection = (subdomain: string, issuedId: string | undefined): Waiting => {
  // Not the cached list: what is in there may be older than the dialog.
  const keys = useQuery(
    api.keys.list.queryOptions(
      { subdomain },
      // The person looks at the program, so this tab may be in the background.
      { staleTime: 0, refetchInterval: INTERVAL, refetchIntervalInBackground: true },
    ),
  )
  const [before, setBefore] = useState<Baseline | null>(null)
  if (before === null && keys.isFetchedAfterMount && keys.data) setBefore(baselineOf(keys.data))
  const connection = before && keys.data ? connectionOf(keys.data, before, issuedId) : null

  // Each step is given time of its own.
  const step = `${connection?.state} ${issuedId}`
  const [lateStep, setLateStep] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLateStep(step), PATIENCE)
    return () => clearTimeout(timer)
  }, [step])
  return { connection, error: keys.error, isLate: lateStep === step }
}
