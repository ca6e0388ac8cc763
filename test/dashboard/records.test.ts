import { describe, expect, test } from 'vitest'
import { rules } from '../../routers/api/rules.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

describe('the list of records', () => {
  test('has the size and warnings of each record, without its value', async () => {
    const { owner, subdomain } = await service.createSpace()
    const value = [{ title: 'A' }, { title: 'B' }, { name: 'ö' }]
    const put = await owner.data.put({ subdomain, key: 'events', value, description: 'What is on' })
    await owner.data.put({ subdomain, key: 'a', value: 1 })
    expect(await owner.records.list({ subdomain })).toEqual([
      expect.objectContaining({ key: 'a', size: 1, warnings: 0, description: null }),
      {
        key: 'events',
        description: 'What is on',
        version: 1,
        updated_at: put.updated_at,
        size: Buffer.byteLength(JSON.stringify(value)),
        warnings: put.warnings.length,
      },
    ])
  })

  test('is for participants only', async () => {
    const { subdomain } = await service.createSpace()
    const outsider = await service.signUp()
    expect(await errorCodeOf(outsider.records.list({ subdomain }))).toBe('space_not_found')
  })
})

describe('a new record', () => {
  test('starts with version 1', async () => {
    const { owner, subdomain } = await service.createSpace()
    const made = await owner.records.create({ subdomain, key: 'a', value: { b: 1 }, description: 'x' })
    expect(made).toMatchObject({ key: 'a', value: { b: 1 }, description: 'x', version: 1 })
    expect(await owner.data.get({ subdomain, key: 'a' })).toEqual(made)
  })

  test('never replaces an existing record', async () => {
    const { owner, subdomain } = await service.createSpace()
    const before = await owner.data.put({ subdomain, key: 'a', value: 'first' })
    expect(await errorCodeOf(owner.records.create({ subdomain, key: 'a', value: 'second' }))).toBe(
      'data_key_taken',
    )
    expect(await owner.data.get({ subdomain, key: 'a' })).toEqual(before)
  })

  test('is created once by concurrent callers', async () => {
    const { owner, subdomain } = await service.createSpace()
    const calls = Array.from({ length: 5 }, (_, value) =>
      errorCodeOf(owner.records.create({ subdomain, key: 'a', value })),
    )
    const outcomes = await Promise.all(calls)
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'data_key_taken')).toHaveLength(4)
  })

  test.each([
    ['a key with capitals', { key: 'Events', value: 1 }, ['key']],
    ['no value', { key: 'a' }, ['value']],
    ['a version', { key: 'a', value: 1, version: 1 }, ['version']],
    ['a long description', { key: 'a', value: 1, description: 'x'.repeat(201) }, ['description']],
  ])('is refused with %s', async (_, input, fields) => {
    const { owner, subdomain } = await service.createSpace()
    expect(await errorFields(owner.records.create({ subdomain, value: undefined, ...input }))).toEqual(fields)
  })

  test('counts towards the limit of records', async () => {
    const { owner, subdomain } = await service.createSpace()
    for (let count = 0; count < rules.data.max_records; count++)
      await owner.data.put({ subdomain, key: `r${count}`, value: count })
    expect(await errorCodeOf(owner.records.create({ subdomain, key: 'one-more', value: 1 }))).toBe(
      'data_quota_exceeded',
    )
  })
})

describe('inspecting a value before it is saved', () => {
  test('returns the schema and warnings of a record with this value, and stores nothing', async () => {
    const { owner, subdomain } = await service.createSpace()
    const value = [{ a: 1 }, { a: 2 }, { a: 'x' }]
    const inspected = await owner.records.inspect({ subdomain, value })
    expect(await owner.records.list({ subdomain })).toEqual([])
    const { schema, warnings } = await owner.data.put({ subdomain, key: 'a', value })
    expect(inspected).toEqual({ schema, warnings })
  })
})
