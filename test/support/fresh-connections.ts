/**
 * Makes `fetch` and `http.request` open a new connection per request, unless a test passes its own agent. On a busy
 * machine, a server could close an idle connection just when it is reused.
 */
import http from 'node:http'

http.globalAgent = new http.Agent()

/** The global symbol under which Node.js stores the dispatcher of `fetch`, which exists only after the first call. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')
await fetch('data:,')
const holder = globalThis as unknown as Record<symbol, { constructor: new (options: object) => never }>
holder[DISPATCHER] = new holder[DISPATCHER]!.constructor({ pipelining: 0 })
