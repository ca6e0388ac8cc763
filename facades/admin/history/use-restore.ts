import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, queries } from '../api.ts'
import { type Failure, failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import type { Change } from './describe.ts'

type RestoredSide = 'before' | 'after'

/** Whether a restore failed because another page or part has the name. */
export const isNameTaken = ({ code }: Failure): boolean => code === 'slug_taken' || code === 'part_name_taken'

/** The state of a restore of one change. */
export interface Restore {
  run: (side: RestoredSide, name?: string) => void
  isPending: boolean
  /** Whether a version was restored. */
  done: boolean
  /** The version (before or after the change) whose name is taken, so that another name is needed. */
  needsName: RestoredSide | null
  error: unknown
}

/** Restores a version of a change. */
export const useRestore = (subdomain: string, change: Change): Restore => {
  const [needsName, setNeedsName] = useState<RestoredSide | null>(null)
  const mutation = useMutation({
    mutationFn: ({ side, name }: { side: RestoredSide; name: string | undefined }) =>
      client.history.restore.mutate({ subdomain, change_id: change.id, side, ...(name ? { name } : {}) }),
    onSuccess: ({ operation }) => {
      setNeedsName(null)
      if (operation === null) notifySuccess('Nothing to restore: this is the current version')
      void queries.invalidateQueries()
    },
    onError: (error, { side }) => {
      if (isNameTaken(failureOf(error))) setNeedsName(side)
    },
  })
  return {
    run: (side, name) => mutation.mutate({ side, name }),
    isPending: mutation.isPending,
    done: mutation.data?.operation != null,
    needsName,
    error: mutation.error,
  }
}
