import { beforeAll, beforeEach } from 'vitest'
import type { Person, TestService, TestSpace } from '../../support/test-service.ts'

/** Creates a space before each test of a file. Returns the space of the current test; all have the same owner. */
export const useSpacePerTest = (service: TestService): TestSpace => {
  const space = {} as TestSpace
  let owner: Person
  beforeAll(async () => {
    owner = await service.signUp()
  })
  beforeEach(async () => {
    Object.assign(space, await service.createSpace(undefined, owner))
  })
  return space
}
