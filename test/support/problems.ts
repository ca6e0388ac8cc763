import { TRPCError } from '@trpc/server'
import type { ErrorCode } from '../../routers/api/errors.ts'
import { problemOf } from '../../routers/api/problem.ts'

/** Returns the error code of a failed call, or undefined if it succeeds. */
export const errorCodeOf = (call: Promise<unknown>): Promise<ErrorCode | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof TRPCError)) throw error
      return problemOf(error).problem
    },
  )

/** Returns the field names that are listed in the error of a failed call. */
export const errorFields = (call: Promise<unknown>): Promise<string[]> =>
  call.then(
    () => [],
    (error: unknown) => (problemOf(error).circumstances.errors ?? []).map(({ field }) => field),
  )
