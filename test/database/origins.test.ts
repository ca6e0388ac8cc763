import { describe, expect, test } from 'vitest'
import { partitionContent } from '../support/partitions.ts'
import { recorded, useQuietService } from '../support/quiet-service.ts'
import { requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'

describe('where content is distributed', () => {
  const quiet = useQuietService(partitionContent)

  /** Returns the origins without a page or file, and the pages and files without an origin. */
  const faults = async (): Promise<unknown[]> => {
    const items = `select 'page', id, space_id from pages union all select 'file', id, space_id from files`
    const origins = 'select kind, id, space_id from origins'
    const { rows } = await quiet.client.query<object>(
      `((${items}) except (${origins})) union all ((${origins}) except (${items}))`,
    )
    return rows
  }

  test('every page and file has an origin while it exists', async () => {
    const { subdomain, owner } = await quiet.service.createSpace()
    const { id: page_id } = await owner.pages.create({ subdomain, slug: 'a', html: 'x' })
    const { id: file_id } = await owner.files.create({
      subdomain,
      name: 'a.txt',
      content: 'x',
      encoding: 'text',
    })
    const states = async () => {
      expect(await faults()).toEqual([])
      const pages = await requestHost(quiet.service, `${page_id}.pages.localhost`)
      const files = await requestHost(quiet.service, `${file_id}.files.localhost`)
      return [pages.status, files.status]
    }
    expect(await states()).toEqual([200, 200])

    await owner.pages.delete({ subdomain, page_id })
    await owner.files.delete({ subdomain, file_id })
    expect(await states()).toEqual([404, 404])

    const restoreBoth = async () => {
      const { changes } = await owner.history.list({ subdomain })
      for (const { id: change_id } of changes.slice(0, 2))
        await owner.history.restore({ subdomain, change_id, side: 'before' })
      return changes.at(-1)!
    }
    const first = await restoreBoth()
    expect(await states()).toEqual([200, 200])

    await owner.history.undo({ subdomain, actor: first.actor.id, since: first.at })
    expect(await states()).toEqual([404, 404])
    await restoreBoth()
    expect(await states()).toEqual([200, 200])
  })

  test('the pages and files of a starter have origins until the space is deleted', async () => {
    const { owner } = await quiet.service.createSpace()
    await owner.spaces.create({ subdomain: 'started', name: 'Started', starter: 'blog' })
    expect(await owner.pages.list({ subdomain: 'started' })).not.toEqual([])
    expect(await faults()).toEqual([])
    await owner.spaces.delete({ subdomain: 'started', confirm: 'started' })
    expect(await faults()).toEqual([])
  })
})

describe('an origin', () => {
  const service = useTestService()

  test('is looked up only once per process', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { id } = await owner.pages.create({ subdomain, slug: 'a', html: 'x' })
    const lookups = async () => {
      const { statements } = await recorded(() => requestHost(service, `${id}.pages.localhost`))
      return statements.filter(({ text }) => text.includes('"origins"')).length
    }
    expect(await lookups()).toBe(1)
    expect(await lookups()).toBe(0)
  })

  test('of a page still works after `DELETE /files/{id}` is called with the id of the page', async () => {
    const { owner, subdomain, api } = await service.createSpace()
    const { id } = await owner.pages.create({ subdomain, slug: 'a', html: 'x' })
    expect((await api.delete(`/files/${id}`)).status).toBe(404)
    expect((await requestHost(service, `${id}.files.localhost`)).status).toBe(404)
    expect((await requestHost(service, `${id}.pages.localhost`)).status).toBe(200)
  })
})
