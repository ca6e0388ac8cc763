import type { Operation } from '../../facades/operations/list.ts'
import { USER_SCOPES } from '../../routers/core/scopes.ts'
import { userResources } from '../contract/resources.ts'
import { type Person, uniqueName, type World } from '../support/world.ts'
import {
  notFoundFields,
  notFoundSetups,
  type Request,
  type Scenario,
  type Scenarios,
  sharedFailureSetups,
} from './scenario.ts'

/** A scenario with a person of its own. */
interface AsPerson extends Scenario {
  person: Person
}

const prepare = async (world: World, operation: Operation, example: unknown): Promise<AsPerson> => {
  const person = await world.person()
  const path: Record<string, string> = {}
  for (const name of operation.pathParameters) path[name] = await userResources[name]!.create(person, 'first')
  const request: Request = { path, secret: await person.token(...USER_SCOPES), body: example }
  return { world, person, operation, request }
}

/** Scenarios of the User API, each with its own person. */
export const user: Scenarios<AsPerson> = {
  prepare,
  failureSetups: {
    ...sharedFailureSetups,
    ...notFoundSetups(userResources),
    rate_limited: async ({ world, request }) => {
      const { limit } = world.service.core.calls
      for (let call = 0; call < limit; call++) await world.rest(request.secret).get('/me')
      return {}
    },
    insufficient_scope: async ({ person, operation }) => ({
      secret: await person.token(USER_SCOPES.find(scope => !operation.meta.scopes!.includes(scope))!),
    }),
    limit_reached: async ({ world, person }) => {
      for (let n = 0; n < world.service.core.creationLimits.posts; n++)
        await person.posts.create({ format: 'html', html: 'x' })
      return {}
    },
    handle_taken: async ({ world }) => ({
      body: { handle: (await world.person(uniqueName('taken'))).handle },
    }),
  },
  fields: { ...notFoundFields(userResources), handle_taken: 'handle' },
}
