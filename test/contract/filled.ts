import { beforeAll } from 'vitest'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import type { Person, TestService, TestSpace } from '../support/test-service.ts'
import { fillAccount, fillSpace, type PathValues } from './resources.ts'

/** Input with which tests can call any operation: a value for each path parameter, and an `Authorization` header. */
interface Filled {
  values: PathValues
  /** Contains a credential with every scope. */
  authorization: string
  /** Creates other resources, for an operation that deletes some. */
  refill: () => Promise<PathValues>
}

/** Creates a space with one resource per path parameter before the tests of a file. */
export const useFilledSpace = (service: TestService): Filled & { space: TestSpace } => {
  const filled = {} as Filled & { space: TestSpace }
  beforeAll(async () => {
    const space = await service.createSpace()
    const values = await fillSpace(space)
    const authorization = `Bearer ${await space.key(...SPACE_SCOPES)}`
    Object.assign(filled, { space, values, authorization, refill: () => fillSpace(space) })
  })
  return filled
}

/** Creates an account with one resource per path parameter before the tests of a file. */
export const useFilledAccount = (service: TestService): Filled & { person: Person } => {
  const filled = {} as Filled & { person: Person }
  beforeAll(async () => {
    const person = await service.signUp()
    const values = await fillAccount(person)
    const authorization = `Bearer ${await person.token(...USER_SCOPES)}`
    Object.assign(filled, { person, values, authorization, refill: () => fillAccount(person) })
  })
  return filled
}
