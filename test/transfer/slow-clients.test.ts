import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { type Mover, signInMover } from './support/browser-session.ts'

const service = useTestService()

/** Number of slow clients: more than the number of archives that one process writes or reads at once. */
const SLOW = 5

/** Sends the head of a request and the begin of its body, and reads nothing. */
const send = async (lines: string[], begin = ''): Promise<Socket> => {
  const socket = connect(service.port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await new Promise<void>(resolve => {
    socket.write([...lines, 'Host: localhost', '', begin].join('\r\n'), () => resolve())
  })
  return socket
}

const newMover = async () => {
  const mover = await signInMover(service)
  const { subdomain, api } = await mover.space()
  return { mover, subdomain, api }
}

/** Expects that an account can export and import while the slow clients are connected. */
const expectTransfers = async ({ mover, subdomain }: { mover: Mover; subdomain: string }) => {
  const archive = await mover.archive(subdomain)
  expect((await mover.put(subdomain, archive)).status).toBe(200)
}

/** Resolves once a request of this account counts as in progress. */
const isInProgress = async ({ mover, subdomain }: { mover: Mover; subdomain: string }) => {
  await expect.poll(async () => (await mover.download(subdomain)).status, { timeout: 60_000 }).toBe(429)
}

test('imports that arrive slowly do not keep others waiting', async () => {
  const other = await newMover()
  for (let n = 0; n < SLOW; n++) {
    const slow = await newMover()
    const { cookie } = slow.mover
    await send(
      [`POST /transfer/${slow.subdomain} HTTP/1.1`, `Cookie: ${cookie}`, 'Content-Length: 100000'],
      'PK',
    )
    await isInProgress(slow)
  }
  await expectTransfers(other)
})

test('exports that are read slowly do not keep others waiting', async () => {
  const other = await newMover()
  for (let n = 0; n < SLOW; n++) {
    const slow = await newMover()
    // Larger than the buffers of a connection.
    const file = { name: 'a.bin', content: randomBytes(8_000_000).toString('base64'), encoding: 'base64' }
    expect((await slow.api.post('/files', file)).status).toBe(201)
    const socket = await send([`GET /transfer/${slow.subdomain} HTTP/1.1`, `Cookie: ${slow.mover.cookie}`])
    socket.pause()
    await isInProgress(slow)
  }
  await expectTransfers(other)
})
