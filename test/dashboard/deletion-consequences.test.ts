import { describe, expect, test } from 'vitest'
import { failure } from '../support/problems.ts'
import { uniqueName, useWorld } from '../support/world.ts'

const world = useWorld({ operators: ['chief'] })

describe('the consequences of deleting an account', () => {
  test('are empty for a new account', async () => {
    const person = await world.person()
    expect(await person.accounts.leaving()).toEqual({
      posts: 0,
      comments: 0,
      likes: 0,
      // The token of the test's REST client.
      tokens: 1,
      files: 0,
      keys: [],
      spaces: [],
      alone_in: [],
    })
  })

  test('list what is deleted, what stops working, what stays, and what prevents the deletion', async () => {
    const shared = await world.space()
    const person = await world.person()
    const { url } = await shared.owner.invites.create({ subdomain: shared.subdomain })
    await person.invites.accept({ token: new URL(url).hash.slice(1) })
    const alone = uniqueName('alone')
    await person.spaces.create({ subdomain: alone, name: 'Alone' })
    const { id } = await person.posts.create({ html: 'x' })
    await person.drafts.create({ html: 'x' })
    await person.comments.create({ post_id: id, body: 'x' })
    await person.likes.add({ post_id: id })
    const key = await person.keys.issue({
      subdomain: shared.subdomain,
      label: 'Build',
      scopes: ['files_write'],
    })
    await shared.owner.keys.issue({ subdomain: shared.subdomain, label: 'Theirs', scopes: ['pages'] })
    await world
      .rest(key.secret, `/v1/spaces/${shared.subdomain}`)
      .post('/files', { name: 'a.txt', content: 'a', encoding: 'text' })
    expect(await person.accounts.leaving()).toEqual({
      posts: 2,
      comments: 1,
      likes: 1,
      tokens: 1,
      files: 1,
      keys: [{ subdomain: shared.subdomain, id: key.id, label: 'Build', hint: key.hint }],
      spaces: [{ subdomain: shared.subdomain, name: `The ${shared.subdomain}` }],
      alone_in: [{ subdomain: alone, name: 'Alone' }],
    })
  })

  test('are available only with a session', async () => {
    expect(await failure(world.nobody().accounts.leaving())).toBe('sign_in_required')
  })
})

test('accounts.me says whether the account is an operator', async () => {
  const [chief, person] = await Promise.all([world.person('Chief'), world.person()])
  expect(await chief.accounts.me()).toMatchObject({ handle: 'Chief', is_operator: true })
  expect(await person.accounts.me()).toMatchObject({ is_operator: false })
})
