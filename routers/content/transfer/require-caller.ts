import { unavailable } from '../../core/problem.ts'

/** The error that ends work whose result nobody would receive. */
export const callerGone = () => unavailable('The caller has closed the connection.')

/** @throws `unavailable` once the caller has closed the connection */
export const requireCaller = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw callerGone()
}
