import { describe, expect, test } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService({ operators: ['chief'] })

describe('the consequences of deleting an account', () => {
  test('are empty for a new account', async () => {
    const person = await service.signUp()
    expect(await person.accounts.leaving()).toEqual({
      posts: 0,
      comments: 0,
      likes: 0,
      // The account's REST client uses one token.
      tokens: 1,
      webhooks: 0,
      files: 0,
      keys: [],
      spaces: [],
      alone_in: [],
      only_owner_of: [],
    })
  })

  test('list what is deleted, what stops working, what stays, and what prevents the deletion', async () => {
    const shared = await service.createSpace()
    const person = await shared.join()
    const alone = uniqueName('alone')
    await person.spaces.create({ subdomain: alone, name: 'Alone' })
    const { id } = await person.posts.create({ html: 'x' })
    await person.writing.createDraft({ html: 'x' })
    await person.comments.create({ post_id: id, body: 'x' })
    await person.likes.add({ post_id: id })
    const key = await person.keys.issue({
      subdomain: shared.subdomain,
      label: 'Build',
      scopes: ['files_write'],
    })
    const url = 'https://receiver.example/hook'
    await person.webhooks.add({ subdomain: shared.subdomain, url, events: ['page.created'] })
    await shared.owner.webhooks.add({ subdomain: shared.subdomain, url, events: ['page.created'] })
    await shared.owner.keys.issue({ subdomain: shared.subdomain, label: 'Theirs', scopes: ['pages'] })
    await service
      .rest(key.secret, `/v1/spaces/${shared.subdomain}`)
      .post('/files', { name: 'a.txt', content: 'a', encoding: 'text' })
    expect(await person.accounts.leaving()).toEqual({
      posts: 2,
      comments: 1,
      likes: 1,
      tokens: 1,
      webhooks: 1,
      files: 1,
      keys: [{ subdomain: shared.subdomain, id: key.id, label: 'Build', hint: key.hint }],
      spaces: [{ subdomain: shared.subdomain, name: `The ${shared.subdomain}` }],
      alone_in: [{ subdomain: alone, name: 'Alone' }],
      only_owner_of: [],
    })
  })

  test('are available only with a session', async () => {
    expect(await errorCodeOf(service.anonymous().accounts.leaving())).toBe('sign_in_required')
  })
})

test('accounts.me says whether the account is an operator', async () => {
  const [chief, person] = await Promise.all([service.signUp('Chief'), service.signUp()])
  expect(await chief.accounts.me()).toMatchObject({ handle: 'Chief', is_operator: true })
  expect(await person.accounts.me()).toMatchObject({ is_operator: false })
})
