import { describe, expect, test } from 'vitest'
import { creationLimits } from '../../routers/api/rules.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService()
const limited = useTestService({ creationLimits: { ...creationLimits, follows: 3 } })

const handlesOf = async (person: Person) => (await person.follows.list({})).people.map(({ handle }) => handle)

describe('following a person', () => {
  test('puts them at the top of the list; following them again changes nothing', async () => {
    const [reader, first, second] = await Promise.all([service.signUp(), service.signUp(), service.signUp()])
    await first.me.update({ display_name: 'First' })
    await reader.follows.add({ handle: first.handle })
    await reader.follows.add({ handle: `@${second.handle.toUpperCase()}` })
    await reader.follows.add({ handle: first.handle })
    const { people, count, next } = await reader.follows.list({})
    expect({ count, next }).toEqual({ count: 2, next: null })
    expect(people).toMatchObject([
      { handle: second.handle, display_name: null, icon_url: null },
      { handle: first.handle, display_name: 'First', profile_url: `http://localhost/@${first.handle}` },
    ])
    expect(await handlesOf(first)).toEqual([])
  })

  test('is refused for an unknown handle, a malformed one, and your own', async () => {
    const reader = await service.signUp()
    expect(await errorCodeOf(reader.follows.add({ handle: 'no_such_person' }))).toBe('account_not_found')
    expect(await errorFields(reader.follows.add({ handle: 'a b' }))).toEqual(['handle'])
    expect(await errorFields(reader.follows.add({ handle: reader.handle }))).toEqual(['handle'])
    expect(await handlesOf(reader)).toEqual([])
  })

  test('is refused above the limit, even in concurrent calls, except for a person who is already followed', async () => {
    const reader = await limited.signUp()
    const people = []
    for (let i = 0; i < 5; i++) people.push(await limited.signUp())
    const outcomes = await Promise.all(
      people.map(({ handle }) => errorCodeOf(reader.follows.add({ handle }))),
    )
    expect(outcomes.filter(outcome => outcome === 'limit_reached')).toHaveLength(2)
    const [latest] = await handlesOf(reader)
    expect(await errorCodeOf(reader.follows.add({ handle: latest! }))).toBeUndefined()
    expect((await reader.follows.list({})).count).toBe(3)
  })

  test('ends when you unfollow them; unfollowing again changes nothing', async () => {
    const [reader, author] = await Promise.all([service.signUp(), service.signUp()])
    const { handle } = author
    await reader.follows.add({ handle })
    await reader.follows.remove({ handle })
    await reader.follows.remove({ handle })
    expect(await handlesOf(reader)).toEqual([])
    expect(await errorCodeOf(reader.follows.remove({ handle: 'no_such_person' }))).toBe('account_not_found')
  })

  test('ends when the account of the followed person is deleted', async () => {
    const [reader, author] = await Promise.all([service.signUp(), service.signUp()])
    await reader.follows.add({ handle: author.handle })
    await author.accounts.delete({ confirm: author.handle })
    expect(await handlesOf(reader)).toEqual([])
  })

  test('does not prevent the follower from deleting their account', async () => {
    const [reader, other, author] = await Promise.all([service.signUp(), service.signUp(), service.signUp()])
    for (const person of [reader, other]) await person.follows.add({ handle: author.handle })
    await reader.accounts.delete({ confirm: reader.handle })
    expect(await handlesOf(other)).toEqual([author.handle])
  })

  test('does not carry over to the next account with the same handle', async () => {
    const [reader, author] = await Promise.all([service.signUp(), service.signUp()])
    await reader.follows.add({ handle: author.handle })
    await author.me.update({ handle: `new_${author.handle}`.slice(0, 15) })
    await service.signUp(author.handle)
    expect(await handlesOf(reader)).toEqual([`new_${author.handle}`.slice(0, 15)])
  })
})

test('the list of followed people has each person on exactly one page', async () => {
  const reader = await service.signUp()
  const handles: string[] = []
  for (let i = 0; i < 52; i++) {
    const { handle } = await service.signUp()
    await reader.follows.add({ handle })
    handles.unshift(handle)
  }
  const first = await reader.follows.list({})
  const second = await reader.follows.list({ cursor: first.next })
  expect([first.people.length, first.count, second.next]).toEqual([50, 52, null])
  expect([...first.people, ...second.people].map(({ handle }) => handle)).toEqual(handles)
  expect(await errorFields(reader.follows.list({ cursor: 'x' }))).toEqual(['cursor'])
})
