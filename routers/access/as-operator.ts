import type { Core } from '../core/context.ts'
import { Problem } from '../core/problem.ts'
import { signedIn } from './signed-in.ts'

/**
 * Whether the configuration lists a handle as an operator's. No other account can take a listed handle, even after the
 * operator has changed to another handle.
 */
export const isOperator = ({ operators }: Pick<Core, 'operators'>, handle: string): boolean =>
  operators.has(handle.toLowerCase())

/** The base of procedures for operators. */
export const asOperator = signedIn.use(({ ctx, next }) => {
  if (!isOperator(ctx.core, ctx.session.handle)) throw new Problem('operators_only')
  return next()
})
