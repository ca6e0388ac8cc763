import { spawn } from 'node:child_process'
import { Redis } from 'ioredis'

/** Starts a Redis server on a port, and resolves when it responds. */
export const startRateStore = async (port: number) => {
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  })
  const client = new Redis(port, { retryStrategy: () => 50 })
  // Each attempt before the store is up emits an error.
  client.on('error', () => {})
  await new Promise(resolve => client.once('ready', resolve))
  client.disconnect()
  return server
}
