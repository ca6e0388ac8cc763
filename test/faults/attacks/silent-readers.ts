/** Attack: requests for a large response that the client never reads. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runAttack } from '../support/attack.ts'
import { connect, count } from '../support/sockets.ts'

runAttack(async ({ port, from, scale, facts }) => {
  const connections = Array.from({ length: 80 * scale }, () => {
    const connection = connect(port, `GET / HTTP/1.1\r\nHost: ${facts.host}\r\n\r\n`, from)
    connection.socket.pause()
    return connection
  })
  await sleep(Number(facts.seconds) * 1_000)
  // A paused socket notices that it was closed only after it has read everything that was sent, so read it now.
  for (const { socket } of connections) socket.resume()
  for (let n = 0; n < 20 && connections.some(({ isClosed }) => !isClosed()); n++) await sleep(250)
  const outcome = count(connections.map(({ isClosed }) => (isClosed() ? 'closed' : 'open')))
  for (const { socket } of connections) socket.destroy()
  return outcome
})
