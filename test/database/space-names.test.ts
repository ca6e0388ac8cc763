import { describe, expect, test } from 'vitest'
import { partitionContent } from '../support/partitions.ts'
import { useQuietService } from '../support/quiet-service.ts'
import { requestHost } from '../support/request-host.ts'

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
