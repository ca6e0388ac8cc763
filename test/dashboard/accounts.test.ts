import { describe, expect, test } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService()
const password = 'correct horse battery'

describe('signing up', () => {
  test.each(['abc', 'A.b_9', 'x'.repeat(15), '  @robin1  '])('accepts the handle %j', async handle => {
    const { handle: shown } = await service.anonymous().accounts.signUp({ handle, password })
    expect(shown).toBe(handle.trim().replace('@', ''))
  })

  test.each(['ab', 'x'.repeat(16), 'a b c', 'héllo', 'a-b-c', '', '@@abc'])(
    'rejects the handle %j',
    async handle => {
      expect(await errorFields(service.anonymous().accounts.signUp({ handle, password }))).toEqual(['handle'])
    },
  )

  test('rejects a handle that differs from another only in letter case', async () => {
    await service.anonymous().accounts.signUp({ handle: 'Casey', password })
    expect(await errorCodeOf(service.anonymous().accounts.signUp({ handle: 'cASEY', password }))).toBe(
      'handle_taken',
    )
  })

  test.each([
    ['short', 'x'.repeat(9)],
    ['long', 'x'.repeat(201)],
  ])('rejects a password that is too %s', async (_, invalid) => {
    const call = service.anonymous().accounts.signUp({ handle: uniqueName('person'), password: invalid })
    expect(await errorFields(call)).toEqual(['password'])
  })

  test('gives a handle to only one of many concurrent callers', async () => {
    const handle = uniqueName('race')
    const all = Array.from({ length: 5 }, () =>
      errorCodeOf(service.anonymous().accounts.signUp({ handle, password })),
    )
    const outcomes = await Promise.all(all)
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'handle_taken')).toHaveLength(4)
  })
})

describe('signing in', () => {
  test('accepts the handle in any letter case', async () => {
    const { handle } = await service.signUp('Robin7')
    expect(await service.anonymous().sessions.create({ handle: '@rOBIN7', password })).toEqual({ handle })
  })

  test.each([
    ['a wrong password', 'Morgan1', 'wrong horse battery'],
    ['an unknown handle', 'nobody.here', password],
  ])('fails with the same error for %s', async (_, handle, tried) => {
    await service.signUp('Morgan1').catch(() => {})
    expect(await errorCodeOf(service.anonymous().sessions.create({ handle, password: tried }))).toBe(
      'sign_in_failed',
    )
  })

  test('is rate limited after ten attempts on one handle, even with the right password', async () => {
    const { handle } = await service.signUp()
    for (let i = 0; i < 10; i++)
      expect(await errorCodeOf(service.anonymous().sessions.create({ handle, password: 'wrong' }))).toBe(
        'sign_in_failed',
      )
    expect(await errorCodeOf(service.anonymous().sessions.create({ handle, password }))).toBe('rate_limited')
  })
})

describe('the password', () => {
  test('can be changed with the current password', async () => {
    const person = await service.signUp()
    await person.accounts.setPassword({ current_password: password, password: 'another horse' })
    const { handle } = person
    expect(await errorCodeOf(service.anonymous().sessions.create({ handle, password }))).toBe(
      'sign_in_failed',
    )
    expect(await service.anonymous().sessions.create({ handle, password: 'another horse' })).toEqual({
      handle,
    })
  })

  test('cannot be changed without the current password', async () => {
    const person = await service.signUp()
    expect(await errorFields(person.accounts.setPassword({ password: 'another horse' }))).toEqual([
      'current_password',
    ])
  })
})
