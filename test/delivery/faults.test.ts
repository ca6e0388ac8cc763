import { describe, expect, it } from 'vitest'
import { startTestService } from '../support/test-service.ts'
import { newSite } from './support/site.ts'

describe('error pages', () => {
  it('a page that cannot be rendered gets a 503, and lists of pages still work', async () => {
    const service = await startTestService({ renderProcesses: 1 })
    try {
      const site = await newSite(service)
      const page = await site.page('app', 'text', 'scripted')
      await site.page('about', 'text')
      await service.core.renderer.stop()
      const responses = [await site.open('/app'), await site.open('/about'), await site.openOrigin(page)]
      for (const { status, headers, text } of responses) {
        expect(status).toBe(503)
        expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
        expect(headers['content-type']).toBe('text/html; charset=utf-8')
        expect(text).toContain('Try again in')
      }
      expect((await site.open('/')).status).toBe(200)
      expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
    } finally {
      await service.stop()
    }
  })

  it('an internal error gets a page with the reference from the log and no details', async () => {
    const service = await startTestService()
    try {
      const site = await newSite(service)
      const page = await site.page('app', 'text', 'scripted')
      const file = await site.file('a.txt', 'text')
      await service.core.database.orm.em.getKysely().schema.dropTable('pages').cascade().execute()
      await service.core.database.orm.em.getKysely().schema.dropTable('files').cascade().execute()
      for (const response of [await site.open('/'), await site.openOrigin(page), await site.openFile(file)]) {
        expect(response.status).toBe(500)
        const reference = /<code>(\w{16})<\/code>/.exec(response.text)?.[1]
        const line = service.log.find(({ msg, reference: logged }) => msg === 'fault' && logged === reference)
        expect(JSON.stringify(line?.err)).toMatch(/relation .*does not exist/)
        expect(response.text).not.toMatch(/relation|does not exist/)
        expect(response.headers['cache-control']).toBe('no-store')
        expect(response.headers).not.toHaveProperty('etag')
      }
    } finally {
      await service.stop()
    }
  })
})
