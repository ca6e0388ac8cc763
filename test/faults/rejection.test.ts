import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './support/http.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'

let service: ServiceProcess

beforeAll(async () => {
  const hook = fileURLToPath(new URL('./support/reject.mjs', import.meta.url))
  service = await startProgram({ NODE_OPTIONS: `--import ${hook}` })
})
afterAll(() => service.remove())

test('a rejected promise that nothing awaits is logged and does not end the service', async () => {
  process.kill(service.pid, 'SIGUSR2')
  await expect.poll(() => service.log()).toContain('planted')
  expect((await call(service.port, { path: '/readyz' })).status).toBe(200)
  expect(service.hasEnded).toBe(false)
  expect(service.log()).toContain('"level":50')
})
