import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'

/** Starts a Redis on a port, and resolves when it responds. */
export const startRateStore = async (port: number) => {
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  })
  const client = new Redis(port, { lazyConnect: true, retryStrategy: () => 50 })
  client.on('error', () => {})
  await client.connect().catch(() => once(client, 'ready'))
  client.disconnect()
  return server
}
