/** Attack: thousands of requests for a profile on each of a few connections, sent without reading the responses. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runAttack } from '../support/attack.ts'
import { connect, count, outcomeOf } from '../support/sockets.ts'

const requests = 'GET /@bystander HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(40_000)

runAttack(async ({ port, from, scale, facts }) => {
  const connections = Array.from({ length: 10 * scale }, () => connect(port, requests, from))
  await sleep(Number(facts.seconds) * 1_000)
  const outcome = count(connections.map(outcomeOf))
  for (const { socket } of connections) socket.destroy()
  return outcome
})
