import { describe, expect, test } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { partitionContent } from '../support/partitions.ts'
import { errorCodeOf } from '../support/problems.ts'
import { useQuietService } from '../support/quiet-service.ts'
import { requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

const nameOf = (id: string) =>
  sqlOf(service.core.orm).selectFrom('space_names').where('id', '=', id).selectAll().executeTakeFirst()

describe('a process of the previous version', () => {
  const old = { id: 'old', subdomain: 'old', name: 'Old', created_at: new Date() }
  const sql = () => sqlOf(service.core.orm)

  test('also creates, renames and deletes its spaces in the directory', async () => {
    await sql().insertInto('spaces').values(old).execute()
    expect(await nameOf('old')).toEqual({ id: 'old', subdomain: 'old', name: 'Old' })
    await sql().updateTable('spaces').set({ name: 'New' }).where('id', '=', 'old').execute()
    expect(await nameOf('old')).toEqual({ id: 'old', subdomain: 'old', name: 'New' })
    await sql().deleteFrom('spaces').where('id', '=', 'old').execute()
    expect(await nameOf('old')).toBeUndefined()
  })

  test('cannot create a space with a taken subdomain, and gets an error with the old constraint name', async () => {
    const { subdomain } = await service.createSpace()
    const inserted = sql()
      .insertInto('spaces')
      .values({ ...old, subdomain })
      .execute()
    await expect(inserted).rejects.toMatchObject({ constraint: 'spaces_subdomain_unique' })
  })

  test('reserves the subdomain of a space that it creates', async () => {
    const { owner } = await service.createSpace()
    await sql()
      .insertInto('spaces')
      .values({ ...old, subdomain: 'previous' })
      .execute()
    const created = errorCodeOf(owner.spaces.create({ subdomain: 'previous', name: 'x' }))
    expect(await created).toBe('subdomain_taken')
  })

  test('deletes the participants and keys of a space together with the space', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    await sql().deleteFrom('spaces').where('subdomain', '=', subdomain).execute()
    expect(await owner.spaces.list()).toEqual([])
    expect((await api.get('/pages')).status).toBe(401)
  })
})

describe('where content is distributed', () => {
  const quiet = useQuietService(partitionContent)

  test('a new name is in the directory and on the site', async () => {
    const { subdomain, owner, api } = await quiet.service.createSpace()
    await owner.pages.create({ subdomain, slug: 'index', html: '{{ space.name }}', kind: 'static' })
    await owner.spaces.rename({ subdomain, name: 'Renamed' })
    expect(await owner.spaces.list()).toMatchObject([{ subdomain, name: 'Renamed' }])
    expect((await api.get('')).body).toMatchObject({ name: 'Renamed' })
    expect((await requestHost(quiet.service, `${subdomain}.sites.localhost`)).text).toContain('Renamed')
  })
})
