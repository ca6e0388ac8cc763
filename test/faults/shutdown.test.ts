import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { startTestService } from '../support/test-service.ts'
import { measureQuietTime } from './support/quiet-time.ts'

const CONNECTIONS = 16

/** A timeout that even a slow machine does not reach. */
const PATIENT = { timeout: 120_000 }

/** Resolves once the service accepts no more connections. */
const refusal = async (root: string) => {
  await expect.poll(() => fetch(`${root}/healthz`).catch(() => null), PATIENT).toBe(null)
}

/** Resolves with the response once its whole body has arrived. */
const completed = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', response => {
      response.on('error', reject)
      response.on('end', () => resolve(response))
      response.resume()
    })
  })

test('a stop completes the requests of 16 keep-alive connections, then closes the connections', async () => {
  const service = await startTestService()
  const space = await service.createSpace()
  const authorization = `Bearer ${await space.key('data')}`
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const put = (name: string) =>
    request({
      agent,
      port: service.port,
      host: '127.0.0.1',
      method: 'PUT',
      path: `/v1/spaces/${space.subdomain}/data/${name}`,
      headers: {
        authorization,
        host: 'localhost',
        'content-type': 'application/json',
        'content-length': 11,
        expect: '100-continue',
      },
    })
  const names = Array.from({ length: CONNECTIONS }, (_, index) => `record-${index}`)
  try {
    // The first round leaves idle connections, which the second round reuses.
    for (const isLast of [false, true]) {
      const requests = names.map(put)
      const responses = Promise.all(requests.map(completed))
      for (const sent of requests) sent.flushHeaders()
      // Wait until the service reads the body of each request.
      await Promise.all(requests.map(sent => once(sent, 'continue')))
      for (const sent of requests) sent.write('{"value"')
      const stopped = isLast ? service.stop() : undefined
      if (isLast) await refusal(service.root)
      for (const sent of requests) sent.end(':1}')
      for (const { statusCode, headers } of await responses) {
        expect([200, 201]).toContain(statusCode)
        expect(headers.connection).toBe(isLast ? 'close' : 'keep-alive')
      }
      const quietTime = measureQuietTime()
      await stopped
      expect(quietTime()).toBeLessThan(2_000)
    }
  } finally {
    agent.destroy()
    await service.stop()
  }
})
