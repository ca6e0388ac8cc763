import type { Operation } from '../../facades/operations/list.ts'
import { USER_SCOPES } from '../../routers/core/scopes.ts'
import { type Person, uniqueName, type World } from '../support/world.ts'
import { MISSING_ID, type Request, type Scenario, type Scenarios, sharedFailureSetups } from './scenario.ts'

/** A scenario with a person of its own. */
interface AsPerson extends Scenario {
  person: Person
}

const newPost = async (person: Person) => (await person.posts.create({ html: 'x' })).id

/** Creates the resource that a path parameter names, and returns the parameter's value. */
const parameterValues: Record<string, (person: Person) => Promise<string>> = {
  post_id: newPost,
  comment_id: async person =>
    (await person.comments.create({ post_id: await newPost(person), body: 'x' })).id,
}

const prepare = async (world: World, operation: Operation, example: unknown): Promise<AsPerson> => {
  const person = await world.person()
  const path: Record<string, string> = {}
  for (const name of operation.pathParameters) path[name] = await parameterValues[name]!(person)
  const request: Request = { path, secret: await person.token(...USER_SCOPES), body: example }
  return { world, person, operation, request }
}

/** Scenarios of the User API, each with its own person. */
export const user: Scenarios<AsPerson> = {
  prepare,
  failureSetups: {
    ...sharedFailureSetups,
    rate_limited: async ({ world, request }) => {
      const { limit } = world.service.core.calls
      for (let call = 0; call < limit; call++) await world.rest(request.secret).get('/me')
      return {}
    },
    insufficient_scope: async ({ person, operation }) => ({
      secret: await person.token(USER_SCOPES.find(scope => !operation.meta.scopes!.includes(scope))!),
    }),
    post_not_found: () => ({ path: { post_id: MISSING_ID } }),
    comment_not_found: () => ({ path: { comment_id: MISSING_ID } }),
    handle_taken: async ({ world }) => ({
      body: { handle: (await world.person(uniqueName('taken'))).handle },
    }),
  },
  fields: { post_not_found: 'post_id', comment_not_found: 'comment_id', handle_taken: 'handle' },
}
