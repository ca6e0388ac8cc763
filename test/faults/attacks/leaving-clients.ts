/** Attack: requests for a profile whose clients leave before they are answered. */
import { once } from 'node:events'
import { runAttack } from '../support/attack.ts'
import { repeat } from '../support/http.ts'
import { connect } from '../support/sockets.ts'

const request = 'GET /@bystander HTTP/1.1\r\nHost: localhost\r\n\r\n'

runAttack(async ({ port, from, scale }) => {
  const sent = await repeat(1_000 * scale, 20, async () => {
    const { socket } = connect(port, request, from)
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    socket.resetAndDestroy()
  })
  return { left: sent.length }
})
