import { describe, expect, it } from 'vitest'
import { startWorld } from '../support/world.ts'
import { newSite } from './support/site.ts'

describe('when it can not be done', () => {
  it('a page that nobody has room to evaluate is put off with 503, and the rest goes on', async () => {
    const world = await startWorld()
    try {
      const site = await newSite(world)
      const page = await site.page('app', 'text', 'scripted')
      await site.page('about', 'text')
      await world.service.core.renderer.stop()
      const answers = [await site.open('/app'), await site.open('/about'), await site.openOrigin(page)]
      for (const { status, headers, text } of answers) {
        expect(status).toBe(503)
        expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
        expect(headers['content-type']).toBe('text/html; charset=utf-8')
        expect(text).toContain('Please try again in')
      }
      expect((await site.open('/')).status).toBe(200)
      expect(world.log.filter(({ msg }) => msg === 'fault')).toEqual([])
    } finally {
      await world.service.stop()
    }
  })

  it('a fault shows a number that stands in the log, and nothing else of it', async () => {
    const world = await startWorld()
    try {
      const site = await newSite(world)
      const page = await site.page('app', 'text', 'scripted')
      const file = await site.file('a.txt', 'text')
      await world.service.core.orm.em.getKysely().schema.dropTable('pages').cascade().execute()
      await world.service.core.orm.em.getKysely().schema.dropTable('files').cascade().execute()
      for (const answer of [await site.open('/'), await site.openOrigin(page), await site.openFile(file)]) {
        expect(answer.status).toBe(500)
        const reference = /<code>(\w{16})<\/code>/.exec(answer.text)?.[1]
        const line = world.log.find(({ msg, reference: logged }) => msg === 'fault' && logged === reference)
        expect(JSON.stringify(line?.err)).toMatch(/relation .*does not exist/)
        expect(answer.text).not.toMatch(/relation|does not exist/)
        expect(answer.headers['cache-control']).toBe('no-store')
        expect(answer.headers).not.toHaveProperty('etag')
      }
    } finally {
      await world.service.stop()
    }
  })
})
