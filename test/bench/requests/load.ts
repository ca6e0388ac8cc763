/** Sends requests with autocannon, in its own process so that it does not use the server's CPU time. */
import autocannon from 'autocannon'

/** A request. The requests of a scenario are sent in turn. */
export interface LoadRequest {
  method?: 'GET' | 'PUT' | 'POST' | 'PATCH'
  path: string
  headers?: Record<string, string>
  /** `[number]` is replaced by a number that is different in each request. */
  body?: string
  /** Paths and headers of successive requests, which share one body. */
  targets?: { path: string; headers: Record<string, string> }[]
}

export interface Load {
  port: number
  seconds: number
  connections: number
  requests: LoadRequest[]
}

export interface LoadResult {
  perSecond: number
  requests: number
  /** Latency in ms. */
  p50: number
  p99: number
  /** Responses outside 2xx, and failed connections. */
  errors: number
}

/** Starts at the current time, so that two processes are unlikely to send the same numbers. */
let number = Date.now() % 1_000_000_000

const numbered = ({ targets, ...request }: LoadRequest): autocannon.Request => {
  const { body } = request
  if (targets)
    return {
      ...request,
      setupRequest: prepared => {
        const { path, headers } = targets[number++ % targets.length]!
        return { ...prepared, path, headers: { ...prepared.headers, ...headers } }
      },
    }
  if (!body?.includes('[number]')) return request
  return {
    ...request,
    setupRequest: prepared => ({ ...prepared, body: body.replaceAll('[number]', () => String(number++)) }),
  }
}

const run = async ({ port, seconds, connections, requests }: Load): Promise<LoadResult> => {
  const started = performance.now()
  // Makes each connection start at a different position in the list.
  let turn = 0
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    duration: seconds,
    // A run can only end at a sample. By default, there is one sample per second.
    sampleInt: 50,
    connections,
    requests: requests.map(numbered),
    setupClient: client => {
      const from = Math.floor((turn++ * requests.length) / connections)
      client.setRequests([...requests.slice(from), ...requests.slice(0, from)].map(numbered))
    },
  })
  const done = result['2xx']
  return {
    perSecond: done / ((performance.now() - started) / 1000),
    requests: done,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.non2xx + result.errors,
  }
}

process.on('message', (load: Load) => {
  void run(load).then(result => process.send?.(result))
})
process.on('disconnect', () => process.exit(0))
