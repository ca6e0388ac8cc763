/**
 * Makes `fetch` and `http.request` open a new connection per request, unless a test passes its own agent. On a busy
 * machine, a server could close an idle connection just when it is reused.
 */
import http from 'node:http'

http.globalAgent = new http.Agent()

/**
 * The name of the global property that holds the dispatcher of `fetch`. Node.js creates the dispatcher when `fetch` is
 * called for the first time.
 */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')
await fetch('data:,')
const holder = globalThis as unknown as Record<symbol, { constructor: new (options: object) => never }>
holder[DISPATCHER] = new holder[DISPATCHER]!.constructor({ pipelining: 0 })
