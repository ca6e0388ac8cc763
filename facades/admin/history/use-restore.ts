import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, rpc } from '../api.ts'
import { type Failure, failureOf } from '../ui/failure.ts'
import { notifySuccess } from '../ui/notify.ts'
import type { Change } from './describe.ts'

type RestoredSide = 'before' | 'after'

/** Whether a restore failed because another page or part has the name. */
export const isNameTaken = ({ code }: Failure): boolean => code === 'slug_taken' || code === 'part_name_taken'

/** The state of a restore of one change. */
export interface Restore {
  run: (side: RestoredSide) => void
  isPending: boolean
  /** Whether a version was restored. */
  done: boolean
  /** Whether nothing was restored because the deleted item exists again. */
  existsAgain: boolean
  /** Overwrites the existing item with the version from before the deletion. */
  replace: () => void
  /** Whether the name is taken, so that another name is needed. */
  needsName: boolean
  /** Tries the restore again under another name. */
  runAs: (name: string) => void
  /** Why the last attempt failed. Null if it was the first to find the name taken, which `needsName` says. */
  error: unknown
}

interface Attempt {
  side: RestoredSide
  name?: string
  replaces?: boolean
}

/**
 * Restores the version before or after a change. If the change deleted an item that now exists again, only
 * `replace` overwrites this item.
 */
export const useRestore = (subdomain: string, change: Change): Restore => {
  const [needsName, setNeedsName] = useState(false)
  const onlyIfDeleted = ({ replaces = false }: Attempt) => change.action === 'delete' && !replaces
  const mutation = useMutation({
    mutationKey: api.history.pathKey(),
    mutationFn: (attempt: Attempt) =>
      rpc.history.restore.mutate({
        subdomain,
        change_id: change.id,
        side: attempt.side,
        name: attempt.name,
        only_if_deleted: onlyIfDeleted(attempt),
      }),
    onSuccess: ({ operation }, attempt) => {
      setNeedsName(false)
      if (operation === null && !onlyIfDeleted(attempt))
        notifySuccess('Nothing to restore: this is the current version')
    },
    onError: error => {
      if (isNameTaken(failureOf(error))) setNeedsName(true)
    },
  })
  const { variables: last = { side: 'before' } } = mutation
  return {
    run: side => mutation.mutate({ side }),
    isPending: mutation.isPending,
    done: mutation.data?.operation != null,
    existsAgain: mutation.data?.operation === null && onlyIfDeleted(last),
    replace: () => mutation.mutate({ side: 'before', replaces: true }),
    needsName,
    runAs: name => mutation.mutate({ ...last, name }),
    error: isNameTaken(failureOf(mutation.error)) && last.name === undefined ? null : mutation.error,
  }
}
