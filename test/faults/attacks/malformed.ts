/** Attack: requests that HTTP forbids or barely allows. */
import { runAttack } from '../support/attack.ts'
import { repeat } from '../support/http.ts'
import { connect, count, outcomeOf } from '../support/sockets.ts'

const requests = [
  'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nExpect: x',
  'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nHost: other',
  'GET /v1/%zz HTTP/1.1\r\nHost: localhost',
  'GET http://localhost/v1/me HTTP/1.1\r\nHost: localhost',
  'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nBad Header: x',
  `GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}`,
  'nonsense',
  'POST /v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
]

runAttack(async ({ port, from, scale }) =>
  count(
    await repeat(800 * scale, 50, async n => {
      const connection = connect(port, `${requests[n % requests.length]}\r\nConnection: close\r\n\r\n`, from)
      await new Promise(resolve => connection.socket.once('close', resolve))
      return outcomeOf(connection)
    }),
  ),
)
