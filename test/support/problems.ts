import { TRPCError } from '@trpc/server'
import type { ErrorCode } from '../../routers/core/errors.ts'
import { problemOf } from '../../routers/core/problem.ts'

/** Returns the error code of a failed call, undefined when it succeeds. */
export const failure = (call: Promise<unknown>): Promise<ErrorCode | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof TRPCError)) throw error
      return problemOf(error).problem
    },
  )

/** Returns the fields that a failed call reports. */
export const refusedFields = (call: Promise<unknown>): Promise<string[]> =>
  call.then(
    () => [],
    (error: unknown) => (problemOf(error).circumstances.errors ?? []).map(({ field }) => field),
  )
