/** Attack: connections that send a request one byte at a time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runAttack } from '../support/attack.ts'
import { connect, count, outcomeOf } from '../support/sockets.ts'

const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '

runAttack(async ({ port, scale, facts }) => {
  // Use several addresses, because the number of connections per address is limited.
  const connections = Array.from({ length: 1_000 * scale }, (_, n) =>
    connect(port, '', `127.0.2.${1 + (n % 10)}`),
  )
  for (let n = 0; n < Number(facts.seconds) * 4; n++) {
    for (const { socket } of connections) if (socket.writable) socket.write(request[n] ?? 'x')
    await sleep(250)
  }
  const outcome = count(connections.map(outcomeOf))
  for (const { socket } of connections) socket.destroy()
  return outcome
})
