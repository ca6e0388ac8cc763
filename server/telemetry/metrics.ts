import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Addresses } from '../../routers/api/addresses.ts'
import type { OperationCall, VerifiedDomains } from '../../routers/api/context.ts'
import { VERSION } from '../version.ts'
import { facadeByRequest, knownMethod } from './requests.ts'

/** The state of the process, read on every scrape. */
export interface Gauges {
  /** Connections of the database pool, and callers that wait for one. */
  pool: () => { used: number; idle: number; waiting: number }
  /** Shared connections for reads, and reads that the database has not answered yet. */
  reads: () => { connections: number; reads: number }
  /** Jobs of the renderer, and evaluations that it cut off since startup. */
  renderer: () => { open: number; waiting: number; cutOffs: number }
  /**
   * Open connections of clients, bytes of responses that they have not read yet, and connections closed because of a
   * limit.
   */
  connections: () => { open: number; unsentBytes: number; refused: number }
  /** Bytes of request bodies in memory. */
  bodyBytes: () => number
  /** Free bytes on the data disk; left out if the database is not the embedded one. */
  freeDisk?: (() => number | undefined) | undefined
  /** Scheduled backups; left out if there are none. */
  backups?: { readonly newest: Date | undefined; readonly failures: number } | undefined
  /** Failed calls of the file store, and missing or damaged objects since startup; left out if there is no store. */
  fileStore?: { readonly isUp: boolean; readonly counts: { failures: number; lost: number } } | undefined
  /** The content servers; left out if content is not distributed. */
  contentServers?: { readonly missing: readonly number[] } | undefined
  isDatabaseUp: () => boolean
  isWritable: () => boolean
}

/** Metrics for Prometheus, served on a separate port. */
export interface Metrics {
  /** The port on which the metrics are served. */
  port: number
  /** Counts a call of an operation. */
  onCall: (call: OperationCall) => void
  /** Counts the requests of the service's HTTP server. */
  observe(server: Server): void
  stop(): Promise<void>
}

/** Upper bounds of the buckets for durations, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Serves `GET /metrics`. The Prometheus client library is loaded only here, so that it is not loaded if the metrics are
 * off.
 */
export const startMetrics = async (
  { host, port }: { host: string; port: number },
  addresses: Addresses,
  domains: Pick<VerifiedDomains, 'subdomainOf'>,
  gauges: Gauges,
): Promise<Metrics> => {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  const calls = new Counter({
    name: 'space_site_calls_total',
    help: 'Calls of operations and procedures by result: ok or the code of the problem.',
    labelNames: ['operation', 'code'],
    registers,
  })
  const callSeconds = new Histogram({
    name: 'space_site_call_duration_seconds',
    help: 'Duration of calls of operations and procedures.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  })
  const requests = new Counter({
    name: 'space_site_http_requests_total',
    help: 'HTTP requests by facade, method and status. The status "aborted" means that the client left early.',
    labelNames: ['facade', 'method', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'space_site_http_request_duration_seconds',
    help: 'Duration of HTTP requests until the response was sent.',
    labelNames: ['facade'],
    buckets: BUCKETS,
    registers,
  })

  const gauge = (name: string, help: string, read: () => number | undefined) =>
    registry.registerMetric(
      new Gauge({
        name: `space_site_${name}`,
        help,
        registers: [],
        collect() {
          this.set(read() ?? Number.NaN)
        },
      }),
    )
  registry.registerMetric(
    new Gauge({
      name: 'space_site_database_connections',
      help: 'Connections of the database pool by state. The state "waiting" counts callers that wait for a connection.',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, count] of Object.entries(gauges.pool())) this.set({ state }, count)
      },
    }),
  )
  const counter = (name: string, help: string, read: () => number) =>
    registry.registerMetric(
      new Counter({
        name: `space_site_${name}`,
        help,
        registers: [],
        collect() {
          this.reset()
          this.inc(read())
        },
      }),
    )
  new Gauge({
    name: 'space_site_info',
    help: 'Always 1; the label is the version that runs.',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1)
  counter(
    'renderer_cut_offs_total',
    'Evaluations that exceeded their time or memory.',
    () => gauges.renderer().cutOffs,
  )
  counter(
    'connections_refused_total',
    'Connections closed because of a limit.',
    () => gauges.connections().refused,
  )
  gauge('database_read_connections', 'Shared connections for reads.', () => gauges.reads().connections)
  gauge('database_reads', 'Reads that the database has not answered yet.', () => gauges.reads().reads)
  gauge('renderer_jobs', 'Evaluations that wait or run.', () => gauges.renderer().open)
  gauge('renderer_jobs_waiting', 'Evaluations that wait for a worker.', () => gauges.renderer().waiting)
  gauge('connections', 'Open connections of clients.', () => gauges.connections().open)
  gauge(
    'unsent_response_bytes',
    'Bytes of responses that clients have not read yet.',
    () => gauges.connections().unsentBytes,
  )
  gauge('request_body_bytes', 'Bytes of request bodies in memory.', gauges.bodyBytes)
  if (gauges.freeDisk)
    gauge('free_disk_bytes', 'Free space on the disk of the embedded database.', gauges.freeDisk)
  const { backups } = gauges
  if (backups) {
    gauge('backup_age_seconds', 'Age of the newest scheduled backup.', () =>
      backups.newest ? (Date.now() - backups.newest.getTime()) / 1000 : undefined,
    )
    gauge('backup_failures', 'Failed scheduled backups since the start.', () => backups.failures)
  }
  const { fileStore } = gauges
  if (fileStore) {
    gauge('file_store_up', '1 while the file store responds.', () => Number(fileStore.isUp))
    counter('file_store_failures_total', 'Failed calls of the file store.', () => fileStore.counts.failures)
    counter(
      'file_store_lost_total',
      'Reads that found a missing or damaged object.',
      () => fileStore.counts.lost,
    )
  }
  const { contentServers } = gauges
  if (contentServers)
    gauge(
      'content_servers_missing',
      'Content servers that do not respond.',
      () => contentServers.missing.length,
    )
  gauge('database_up', '1 while the database responds.', () => Number(gauges.isDatabaseUp()))
  gauge('writable', '0 while writes are refused because the disk is almost full.', () =>
    Number(gauges.isWritable()),
  )

  const server = createServer((req, res) => {
    if (req.url !== '/metrics' || req.method !== 'GET') return void res.writeHead(404).end()
    registry.metrics().then(
      text => res.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    )
  })
  // Do not share the port between processes, because each process has its own metrics.
  server.listen({ port, host, exclusive: true })
  await once(server, 'listening')

  const facadeOf = facadeByRequest(addresses, domains)
  return {
    port: (server.address() as AddressInfo).port,
    onCall: ({ operation, code, seconds }) => {
      calls.inc({ operation, code })
      callSeconds.observe({ operation }, seconds)
    },
    observe: observed =>
      void observed.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
        const start = performance.now()
        const facade = facadeOf(req)
        const method = knownMethod(req)
        res.once('close', () => {
          requests.inc({ facade, method, status: res.writableFinished ? res.statusCode : 'aborted' })
          if (!isStream(res)) requestSeconds.observe({ facade }, (performance.now() - start) / 1000)
        })
      }),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Whether a response was a stream of events, which lasts as long as its client wants. */
const isStream = (res: ServerResponse): boolean => {
  const type = res.getHeader('content-type')
  return typeof type === 'string' && type.startsWith('text/event-stream')
}
