import type { Core } from '../core/context.ts'
import { Problem } from '../core/problem.ts'
import { signedIn } from './signed-in.ts'

/**
 * Whether the configuration names the holder of this handle as one of the people who run the service. While it does,
 * nobody else can come to have the handle, not even after its holder gave it up.
 */
export const isOperator = ({ operators }: Pick<Core, 'operators'>, handle: string): boolean =>
  operators.has(handle.toLowerCase())

/** The base of what only the people who run the service do; the configuration names them by handle. */
export const asOperator = signedIn.use(({ ctx, next }) => {
  if (!isOperator(ctx.core, ctx.session.handle)) throw new Problem('operators_only')
  return next()
})
