/** Attack: requests for a large response that the client never reads. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAttack } from '../support/attack.ts'
import { readMetric } from '../support/service.ts'
import { connect, count } from '../support/sockets.ts'

/** How long to wait until the service has disconnected the clients, in ms. */
const PATIENCE = 120_000

runAttack(async ({ port, from, scale, facts }) => {
  const connections = Array.from({ length: 80 * scale }, () => {
    const connection = connect(port, `GET / HTTP/1.1\r\nHost: ${facts.host}\r\n\r\n`, from)
    connection.socket.pause()
    return connection
  })
  await Promise.all(
    connections.map(({ socket }) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
  )
  // Ask the service how many connections are left: a paused socket does not notice that it was closed.
  const open = () => readMetric(Number(facts.metricsPort), 'space_site_connections')
  const until = async (isDone: (count: number) => boolean) => {
    for (const end = Date.now() + PATIENCE; Date.now() < end && !isDone(await open()); ) await sleep(250)
  }
  // Wait until the service has accepted most of the connections. The client considers them open before that.
  await until(count => count > 50)
  await until(count => count <= 10)
  // Read the rest of the responses. Only then do the sockets notice that the service has closed them.
  for (const { socket } of connections) socket.resume()
  for (let n = 0; n < 240 && connections.some(({ isClosed }) => !isClosed()); n++) await sleep(250)
  const outcome = count(connections.map(({ isClosed }) => (isClosed() ? 'closed' : 'open')))
  for (const { socket } of connections) socket.destroy()
  return outcome
})
