import { beforeEach } from 'vitest'
import type { Person, TestService, TestSpace } from '../../support/test-service.ts'

type Topic = 'sign_ins' | 'credentials' | 'participants' | 'content' | 'refusals'

/**
 * Creates a space with a new owner before each test of a file. Returns the space of the current test, and functions that
 * read the audit log of the space or of an account, by default as the owner.
 */
export const useAuditedSpace = (service: TestService) => {
  const space = {} as TestSpace
  beforeEach(async () => {
    Object.assign(space, await service.createSpace())
  })
  const ofSpace = async (topic?: Topic, person: Person = space.owner) =>
    (await person.audit.ofSpace({ subdomain: space.subdomain, topic })).events
  const ofAccount = async (topic?: Topic, person: Person = space.owner) =>
    (await person.audit.ofAccount({ topic })).events
  return { space, ofSpace, ofAccount }
}
