/**
 * Makes `client.test` a host of the public internet, whose connections lead to this machine. Load it with `--import`:
 * the service sends only to public addresses, and tests have none.
 */
import { Resolver } from 'node:dns/promises'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

const HOST = 'client.test'
const ADDRESS = '93.184.215.14'

const { resolve4, resolve6 } = Resolver.prototype
Resolver.prototype.resolve4 = function (name) {
  return name === HOST ? Promise.resolve([ADDRESS]) : resolve4.call(this, name)
}
Resolver.prototype.resolve6 = function (name) {
  return name === HOST ? Promise.resolve([]) : resolve6.call(this, name)
}

const { request } = https
https.request = (options, ...rest) =>
  request(Object.assign({}, options, options.host === ADDRESS && { host: '127.0.0.1' }), ...rest)
syncBuiltinESMExports()
