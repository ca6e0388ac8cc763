/** Attack: parallel uploads of 9 MB, and hundreds of concurrent writes to one space. */
import { runAttack } from '../support/attack.ts'
import { call, repeat, tally } from '../support/http.ts'

const upload = JSON.stringify({
  name: 'x.bin',
  content: Buffer.alloc(9_000_000).toString('base64'),
  encoding: 'base64',
})

runAttack(async ({ port, from, scale, headers, subdomain }) => {
  const space = `/v1/spaces/${subdomain}`
  const [uploads, writes] = await Promise.all([
    repeat(40 * scale, 40 * scale, () => call(port, { path: `${space}/files`, headers, body: upload, from })),
    repeat(400 * scale, 200, n =>
      call(port, {
        method: 'PUT',
        path: `${space}/data/key-${n % 20}`,
        headers,
        body: JSON.stringify({ value: n }),
        from,
      }),
    ),
  ])
  const named = (name: string, counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).map(([status, times]) => [`${name} ${status}`, times]))
  return { ...named('upload', tally(uploads)), ...named('write', tally(writes)) }
})
