import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressOf, hostnameOf, untrustedProxyWarning } from '../../server/http/forwarded.ts'

const PROXY = '10.0.0.1'
const isTrusted = (address: string) => address.startsWith('10.')

const request = (remoteAddress: string, headers: Record<string, string>) =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage

test.each([
  ['without a header, the connected address', PROXY, '', PROXY],
  ['behind one proxy, the address that it names', PROXY, '192.0.2.1', '192.0.2.1'],
  ['behind two proxies, the address that the outer one names', PROXY, '192.0.2.1, 10.0.0.2', '192.0.2.1'],
  ['the nearest address that is no proxy', PROXY, '192.0.2.1, 192.0.2.2, 192.0.2.3, 10.0.0.2', '192.0.2.3'],
  ['the first address if all are proxies', PROXY, '10.0.0.3,10.0.0.2', '10.0.0.3'],
  ['not the address that a stranger names', '192.0.2.9', '192.0.2.1', '192.0.2.9'],
])('the address of a client is %s', (_, connected, forwarded, address) => {
  expect(addressOf(request(connected, { 'x-forwarded-for': forwarded }), isTrusted)).toBe(address)
})

test.each([
  ['the first that a proxy names', PROXY, 'a.example , b.example', 'a.example'],
  ['the requested one, not the one that a stranger names', '192.0.2.9', 'a.example', 'host.example'],
])('the host name of a request is %s', (_, connected, forwarded, name) => {
  const headers = { host: 'host.example:8080', 'x-forwarded-host': forwarded }
  expect(hostnameOf(request(connected, headers), isTrusted)).toBe(name)
})

test.each([
  ['of this machine', '127.0.0.1', true],
  ['of this machine, as an IPv6 socket reports it', '::ffff:127.0.0.1', true],
  ['of a private network', '192.168.1.7', true],
  ['of a private network, with IPv6', 'fd00::7', true],
  ['that is trusted', PROXY, false],
  ['of a stranger, who can send any header', '192.0.2.9', false],
])('requests forwarded by a proxy %s cause one warning, if it is not trusted', (_, connected, isWarned) => {
  const warnings: string[] = []
  const look = untrustedProxyWarning(isTrusted, message => warnings.push(message))
  look(request(connected, {}))
  expect(warnings).toEqual([])
  for (let n = 0; n < 3; n++) look(request(connected, { 'x-forwarded-for': '192.0.2.1' }))
  expect(warnings).toHaveLength(isWarned ? 1 : 0)
})
