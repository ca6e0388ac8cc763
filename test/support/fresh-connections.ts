/**
 * Makes `fetch` and `http.request` open a new connection per request, unless a test brings an agent of its own. On a busy
 * machine, a server could close an idle connection just when it is reused.
 */
import http from 'node:http'

http.globalAgent = new http.Agent()

/** Where Node.js keeps the dispatcher of `fetch`. There is one only after the first call. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')
await fetch('data:,')
const holder = globalThis as unknown as Record<symbol, { constructor: new (options: object) => never }>
holder[DISPATCHER] = new holder[DISPATCHER]!.constructor({ pipelining: 0 })
