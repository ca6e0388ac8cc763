import { expect, test } from 'vitest'
import { creationLimits } from '../../routers/api/rules.ts'
import { useTestService } from '../support/test-service.ts'

const limits = { spaces: 11, posts: 12, drafts: 13, follows: 14, mutes: 15 }
const service = useTestService({ creationLimits: { ...creationLimits, ...limits } })

test('the usage of an account counts only the account’s own resources, and includes the limits', async () => {
  const { owner: person } = await service.createSpace()
  const other = await service.signUp()
  await service.createSpace(undefined, other)
  const empty = { spaces: 1, posts: 0, drafts: 0, follows: 0, mutes: 0 }
  expect(await person.accounts.usage()).toEqual({ used: empty, limits })

  await person.spaces.create({ subdomain: 'second-space', name: 'Second' })
  for (const author of [person, person, other]) await author.api.post('/posts', { html: '<p>x</p>' })
  await person.writing.createDraft({ format: 'markdown', markdown: 'x' })
  await person.follows.add({ handle: other.handle })
  const muted = await service.signUp()
  await person.mutes.add({ handle: muted.handle })
  const used = { spaces: 2, posts: 2, drafts: 1, follows: 1, mutes: 1 }
  expect(await person.accounts.usage()).toEqual({ used, limits })
  expect((await other.accounts.usage()).used).toEqual({ ...empty, posts: 1 })
})
