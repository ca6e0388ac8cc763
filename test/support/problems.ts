import { TRPCError } from '@trpc/server'
import type { ErrorCode } from '../../routers/core/errors.ts'
import { problemOf } from '../../routers/core/problem.ts'

/** The code of the failure that a call ends with; `undefined` when it succeeds. */
export const failure = (call: Promise<unknown>): Promise<ErrorCode | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof TRPCError)) throw error
      return problemOf(error).problem
    },
  )

/** The fields that a refused input is refused for. */
export const refusedFields = (call: Promise<unknown>): Promise<string[]> =>
  call.then(
    () => [],
    (error: unknown) => (problemOf(error).circumstances.errors ?? []).map(({ field }) => field),
  )
