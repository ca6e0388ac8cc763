import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { violatedConstraint } from '../db/violation.ts'
import type { Context } from './context.ts'
import type { ErrorCode } from './errors.ts'
import { Problem, problemBody, problemOf } from './problem.ts'
import type { SpaceScope } from './scopes.ts'

/** Everything said about an operation beyond its schemas. REST, documents, tools and tests are derived from it. */
export interface Meta extends OpenApiMeta {
  /** The API it belongs to; none for procedures of the screen alone. */
  api?: 'space' | 'user'
  /** Scopes of which the credential needs one; none when any credential will do. */
  scopes?: readonly SpaceScope[]
  /** Status of success; 200 unless said. 204 goes without a body. */
  status?: 200 | 201 | 204
  /** Failures beyond those that its shape implies. */
  errors?: readonly ErrorCode[]
  /** Most bytes of its body, where that is not the usual limit. */
  bodyLimit?: number
}

const t = initTRPC
  .meta<Meta>()
  .context<Context>()
  .create({
    // A stack or a message of our own making would tell strangers how we are built.
    isDev: false,
    errorFormatter: ({ shape, error, ctx }) => {
      const problem = problemBody(problemOf(error), ctx?.core.addresses.docsUrl ?? '', ctx?.reference)
      return { ...shape, message: problem.detail ?? problem.title, data: { ...shape.data, problem } }
    },
  })

export const router = t.router
export const createCallerFactory = t.createCallerFactory

/** Which failure a broken unique constraint means to the caller. */
const CONFLICTS: Record<string, ErrorCode> = {
  pages_slug_unique: 'slug_taken',
  parts_name_unique: 'part_name_taken',
  spaces_subdomain_unique: 'subdomain_taken',
  accounts_handle_unique: 'handle_taken',
  participants_space_account_unique: 'already_participant',
}

/** The base of every procedure. */
export const procedure = t.procedure.use(async ({ next }) => {
  const result = await next()
  if (!result.ok) {
    const conflict = CONFLICTS[violatedConstraint(result.error.cause) ?? '']
    if (conflict) throw new Problem(conflict)
  }
  return result
})
