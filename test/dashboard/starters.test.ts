import { describe, expect, test } from 'vitest'
import { creationLimits, starters } from '../../routers/api/rules.ts'
import { startTestService, uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService()

describe.each(starters)('a space created from the starter %s', starter => {
  test('has pages, a layout part, data and files; it does not count as edited', async () => {
    const owner = await service.signUp()
    const subdomain = uniqueName('starter')
    await owner.spaces.create({ subdomain, name: 'Fresh', starter })
    const pages = (await owner.pages.list({ subdomain })).data
    expect(pages.length).toBeGreaterThan(1)
    expect(pages).toContainEqual(expect.objectContaining({ slug: 'index', kind: 'static' }))
    expect((await owner.parts.list({ subdomain })).data).toContainEqual(
      expect.objectContaining({ name: 'layout' }),
    )
    const records = (await owner.data.list({ subdomain })).data
    expect(records.length).toBeGreaterThan(0)
    expect(records.every(({ description }) => description)).toBe(true)
    expect((await owner.files.list({ subdomain })).data.length).toBeGreaterThan(1)
    const { usage } = await owner.spaces.overview({ subdomain })
    expect(usage).toMatchObject({ pages: pages.length, is_edited: false })
  })
})

test('a space from a starter counts as edited after its first write', async () => {
  const owner = await service.signUp()
  const subdomain = uniqueName('starter')
  await owner.spaces.create({ subdomain, name: 'Fresh', starter: 'links' })
  await owner.data.put({ subdomain, key: 'profile', value: { line: 'Mine' } })
  expect((await owner.spaces.overview({ subdomain })).usage.is_edited).toBe(true)
})

test('writing the content of a starter is one operation in the history', async () => {
  const owner = await service.signUp()
  const subdomain = uniqueName('starter')
  await owner.spaces.create({ subdomain, name: 'Fresh', starter: 'event' })
  const { changes } = await owner.history.list({ subdomain })
  expect(changes.length).toBeGreaterThan(5)
  expect(new Set(changes.map(({ operation }) => operation)).size).toBe(1)
  expect(changes.every(({ action, cause }) => action === 'create' && cause === 'import')).toBe(true)
})

test('an unknown starter is refused', async () => {
  const owner = await service.signUp()
  const starter = 'shop' as (typeof starters)[number]
  await expect(owner.spaces.create({ subdomain: 'never', name: 'Never', starter })).rejects.toMatchObject({
    problem: 'validation_failed',
  })
  expect(await owner.spaces.list()).toEqual([])
})

test('a starter that exceeds a limit of the service creates no space', async () => {
  const strict = await startTestService({ creationLimits: { ...creationLimits, pages: 1 } })
  try {
    const owner = await strict.signUp()
    await expect(
      owner.spaces.create({ subdomain: 'roomy', name: 'Blog', starter: 'blog' }),
    ).rejects.toMatchObject({ problem: 'limit_reached' })
    expect(await owner.spaces.list()).toEqual([])
    await owner.spaces.create({ subdomain: 'roomy', name: 'Blog' })
  } finally {
    await strict.stop()
  }
})

test('a starter is refused for a taken subdomain, and the space with that subdomain is unchanged', async () => {
  const { subdomain, owner } = await service.createSpace()
  const other = await service.signUp()
  await expect(other.spaces.create({ subdomain, name: 'Mine', starter: 'blog' })).rejects.toMatchObject({
    problem: 'subdomain_taken',
  })
  expect((await owner.pages.list({ subdomain })).data).toEqual([])
})
