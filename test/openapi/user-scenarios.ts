import type { Operation } from '../../facades/operations/list.ts'
import { USER_SCOPES } from '../../routers/api/scopes.ts'
import { userResources } from '../contract/resources.ts'
import { type Person, type TestService, uniqueName } from '../support/test-service.ts'
import {
  notFoundFields,
  notFoundSetups,
  type Request,
  type Scenario,
  type Scenarios,
  sharedFailureSetups,
} from './scenario.ts'

/** A scenario with its own person, who makes the call. */
interface AsPerson extends Scenario {
  person: Person
}

const prepare = async (service: TestService, operation: Operation, example: unknown): Promise<AsPerson> => {
  const person = await service.signUp()
  const path: Record<string, string> = {}
  for (const name of operation.pathParameters) path[name] = await userResources[name]!.create(person, 'first')
  const request: Request = { path, secret: await person.token(...USER_SCOPES), body: example }
  return { service, person, operation, request }
}

/** Scenarios of the User API, each with its own person. */
export const user: Scenarios<AsPerson> = {
  prepare,
  failureSetups: {
    ...sharedFailureSetups,
    ...notFoundSetups(userResources),
    rate_limited: async ({ service, request }) => {
      const { limit } = service.core.calls
      for (let call = 0; call < limit; call++) await service.rest(request.secret).get('/me')
      return {}
    },
    insufficient_scope: async ({ person, operation }) => ({
      secret: await person.token(USER_SCOPES.find(scope => !operation.meta.scopes!.includes(scope))!),
    }),
    limit_reached: async ({ service, person }) => {
      for (let n = 0; n < service.core.creationLimits.posts; n++)
        await person.posts.create({ format: 'html', html: 'x' })
      return {}
    },
    precondition_failed: () => ({ headers: { 'if-match': '"stale"' } }),
    handle_taken: async ({ service }) => ({
      body: { handle: (await service.signUp(uniqueName('taken'))).handle },
    }),
  },
  fields: { ...notFoundFields(userResources), handle_taken: 'handle' },
}
