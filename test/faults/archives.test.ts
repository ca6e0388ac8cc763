import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from './support/account.ts'
import { attack } from './support/attack.ts'
import { addBystander, type Bystander, expectMemoryBelow, MEMORY_AFTER } from './support/bystander.ts'
import { type ServiceProcess, startProgram } from './support/service.ts'

let service: ServiceProcess
let bystander: Bystander

beforeAll(async () => {
  service = await startProgram({ RENDER_PROCESSES: '1', CALLS_PER_MINUTE: '1000000' })
  bystander = await addBystander(service)
})
afterAll(() => service.remove())

/**
 * Maximum memory of the service during the attack, in MiB. At least twice as much was used while an import kept the
 * bodies that it had read.
 */
const MAX_MEMORY = 700

test('imports of small archives with gigabytes of text take little memory and do not delay others', async () => {
  const accounts = await Promise.all(['one', 'two', 'three', 'four'].map(n => createAccount(service.port, n)))
  const facts = Object.fromEntries(accounts.map(({ subdomain, cookie }) => [subdomain, cookie]))
  const { result, report } = await bystander.during(() => attack('archives', { port: service.port, facts }))
  process.stdout.write(`archives: ${JSON.stringify(result)}\n`)
  expect(result).toEqual({ 'previewed 200': 4, 'imported 200': 8 })
  report.check('archives', MAX_MEMORY)
  await expectMemoryBelow(service, MEMORY_AFTER)
})
