import { beforeEach, describe, expect, test } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { pack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'
import { contentOf } from './support/content-of.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

const createPart = async (name: string, html: string) =>
  (await space.api.post<{ id: string }>('/parts', { name, html })).body.id

describe('an import that would close a cycle of includes', () => {
  test('is refused, even if one of the two parts is only in the archive and the other only in the space', async () => {
    await createPart('a', "{% render 'b' %}")
    const before = await contentOf(space)
    const archive = await pack({ path: 'parts/b.html', content: "{% render 'a' %}" })
    const { body } = await mover.upload(space.subdomain, archive)
    expect(body.errors).toEqual([
      { field: 'parts/b', message: 'must not create a cycle of includes: b → a → b' },
    ])
    expect(await contentOf(space)).toEqual(before)
  })

  test('is applied if it also deletes one of the parts in the cycle', async () => {
    await createPart('a', "{% render 'b' %}")
    const archive = await pack({ path: 'parts/b.html', content: "{% render 'a' %}" })
    expect((await mover.put(space.subdomain, archive, 'delete_missing=1')).status).toBe(200)
    expect((await contentOf(space)).parts.map(({ name }) => name)).toEqual(['b'])
  })
})

test('an undo cannot swap the names of two parts back if this would close a cycle of includes', async () => {
  const { api, apiWith, owner, subdomain } = space
  const [first, second] = [await createPart('a', "{% render 'c' %}"), await createPart('b', 'plain')]
  const third = await createPart('c', 'plain')
  const key = await apiWith('pages')
  for (const [id, name] of [
    [first, 'swapping'],
    [second, 'a'],
    [first, 'b'],
  ] as const)
    expect((await key.patch(`/parts/${id}`, { name })).status).toBe(200)
  const { changes } = await owner.history.list({ subdomain })
  expect((await api.patch(`/parts/${third}`, { html: "{% render 'a' %}" })).status).toBe(200)
  const before = await contentOf(space)
  const undo = owner.history.undo({ subdomain, actor: changes[0]!.actor.id, since: changes[2]!.at })
  await expect(undo).rejects.toMatchObject({ problem: 'validation_failed' })
  expect(await contentOf(space)).toEqual(before)
})
