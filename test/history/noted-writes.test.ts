import { beforeAll, expect, it } from 'vitest'
import { testPng } from '../support/png.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
const noted: string[] = []
let png: string
beforeAll(async () => {
  const { onWrite } = service.core
  service.core.onWrite = (spaceId, revision) => {
    noted.push(spaceId)
    onWrite(spaceId, revision)
  }
  png = await testPng({ width: 256, height: 256 })
})

const writes: Readonly<Record<string, (space: TestSpace) => Promise<unknown>>> = {
  'a page created with a key': ({ api }) => api.post('/pages', { slug: 'a', html: 'x' }),
  'a page created in the dashboard': ({ owner, subdomain }) =>
    owner.pages.create({ subdomain, slug: 'a', html: 'x' }),
  'a new name': ({ owner, subdomain }) => owner.spaces.rename({ subdomain, name: 'Another name' }),
  'a new icon': ({ owner, subdomain }) => owner.spaces.setIcon({ subdomain, png }),
}

it.each(Object.entries(writes))(
  '%s is counted as a write, so that the history of the space is trimmed later',
  async (_, write) => {
    const space = await service.createSpace()
    const { id } = await service.core.database
      .selectFrom('spaces')
      .where('subdomain', '=', space.subdomain)
      .select('id')
      .executeTakeFirstOrThrow()
    noted.length = 0
    await write(space)
    expect(noted).toEqual([id])
  },
)
