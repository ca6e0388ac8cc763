import { Problem } from '../problem.ts'
import { signedIn } from './signed-in.ts'

/** The base of what only the people who run the service do; the configuration names them by handle. */
export const asOperator = signedIn.use(({ ctx, next }) => {
  if (!ctx.core.operators.has(ctx.session.handle.toLowerCase())) throw new Problem('operators_only')
  return next()
})
