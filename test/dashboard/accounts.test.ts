import { describe, expect, test } from 'vitest'
import { failure, refusedFields } from '../support/problems.ts'
import { uniqueName, useWorld } from '../support/world.ts'

const world = useWorld()
const password = 'correct horse battery'

describe('signing up', () => {
  test.each(['abc', 'A.b_9', 'x'.repeat(15), '  @robin1  '])('accepts the handle %j', async handle => {
    const { handle: shown } = await world.nobody().accounts.signUp({ handle, password })
    expect(shown).toBe(handle.trim().replace('@', ''))
  })

  test.each(['ab', 'x'.repeat(16), 'a b c', 'héllo', 'a-b-c', '', '@@abc'])(
    'rejects the handle %j',
    async handle => {
      expect(await refusedFields(world.nobody().accounts.signUp({ handle, password }))).toEqual(['handle'])
    },
  )

  test('rejects a handle that differs from another only in letter case', async () => {
    await world.nobody().accounts.signUp({ handle: 'Casey', password })
    expect(await failure(world.nobody().accounts.signUp({ handle: 'cASEY', password }))).toBe('handle_taken')
  })

  test.each([
    ['short', 'x'.repeat(9)],
    ['long', 'x'.repeat(201)],
  ])('rejects a password that is too %s', async (_, invalid) => {
    const call = world.nobody().accounts.signUp({ handle: uniqueName('person'), password: invalid })
    expect(await refusedFields(call)).toEqual(['password'])
  })

  test('gives a contested handle to one of many concurrent callers', async () => {
    const handle = uniqueName('race')
    const all = Array.from({ length: 5 }, () => failure(world.nobody().accounts.signUp({ handle, password })))
    const outcomes = await Promise.all(all)
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'handle_taken')).toHaveLength(4)
  })
})

describe('signing in', () => {
  test('accepts the handle in any letter case', async () => {
    const { handle } = await world.person('Robin7')
    expect(await world.nobody().sessions.create({ handle: '@rOBIN7', password })).toEqual({ handle })
  })

  test.each([
    ['a wrong password', 'Morgan1', 'wrong horse battery'],
    ['an unknown handle', 'nobody.here', password],
  ])('fails with the same error for %s', async (_, handle, tried) => {
    await world.person('Morgan1').catch(() => {})
    expect(await failure(world.nobody().sessions.create({ handle, password: tried }))).toBe('sign_in_failed')
  })

  test('is rate limited after ten attempts on one handle, even with the right password', async () => {
    const { handle } = await world.person()
    for (let i = 0; i < 10; i++)
      expect(await failure(world.nobody().sessions.create({ handle, password: 'wrong' }))).toBe(
        'sign_in_failed',
      )
    expect(await failure(world.nobody().sessions.create({ handle, password }))).toBe('rate_limited')
  })
})

describe('the password', () => {
  test('can be changed with the current password', async () => {
    const person = await world.person()
    await person.accounts.setPassword({ current_password: password, password: 'another horse' })
    const { handle } = person
    expect(await failure(world.nobody().sessions.create({ handle, password }))).toBe('sign_in_failed')
    expect(await world.nobody().sessions.create({ handle, password: 'another horse' })).toEqual({ handle })
  })

  test('cannot be changed without the current password', async () => {
    const person = await world.person()
    expect(await refusedFields(person.accounts.setPassword({ password: 'another horse' }))).toEqual([
      'current_password',
    ])
  })
})
