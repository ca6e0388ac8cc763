/** Attack: bodies of 14.5 MB whose last byte never arrives. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runAttack } from '../support/attack.ts'
import { connect, count, outcomeOf } from '../support/sockets.ts'

const body = Buffer.alloc(14_500_000, 'x')

runAttack(async ({ port, from, scale, headers, subdomain, facts }) => {
  const head = (n: number) =>
    [
      `POST ${n % 2 ? '/trpc/sessions.create' : `/v1/spaces/${subdomain}/files`} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length + 1}`,
      ...(n % 2 ? [] : Object.entries(headers).map(([name, value]) => `${name}: ${value}`)),
      '\r\n',
    ].join('\r\n')
  const connections = Array.from({ length: 120 * scale }, (_, n) => connect(port, head(n), from))
  for (const { socket } of connections) if (socket.writable) socket.write(body)
  await sleep(Number(facts.seconds) * 1_000)
  const outcome = count(connections.map(outcomeOf))
  for (const { socket } of connections) socket.destroy()
  return outcome
})
