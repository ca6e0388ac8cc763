import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Span } from '@opentelemetry/api'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import type { Addresses } from '../../routers/api/addresses.ts'
import type { OperationCall, VerifiedDomains } from '../../routers/api/context.ts'
import { facadeByRequest, knownMethod, pathWithoutSecrets, referenceOf } from './requests.ts'

/** Traces of requests, sent to an OpenTelemetry collector. They contain no query strings, headers, bodies or values. */
export interface Tracing {
  /** Handles each request in a span, which continues the trace of the caller. */
  traceRequests: (listener: RequestListener) => RequestListener
  /** Adds a finished call of an operation to the trace of its request. */
  onCall: (call: OperationCall) => void
  /** Adds the queries of a connection to the traces of the requests that send them. */
  traceQueries: (client: Client) => void
  /** Sends the remaining spans. Gives up after a second. */
  stop: () => Promise<void>
}

/** Minimum time between two warnings that the collector is unreachable, in ms. */
const WARNING_INTERVAL = 60_000

/** Time in ms to send the remaining spans when the service stops. */
const STOP_TIMEOUT = 1_000

export interface TracingSettings {
  /** Address that spans are sent to. */
  url: string
  serviceName: string
  /** Share of requests to trace, from 0 to 1. For a request with a `traceparent` header, its caller decides instead. */
  share: number
}

/**
 * Starts tracing. The exporter reads the other standard variables (`OTEL_EXPORTER_OTLP_HEADERS` and so on) itself. The
 * packages are loaded only here, so that they are not loaded if tracing is off.
 */
export const startTracing = async (
  { url, serviceName, share }: TracingSettings,
  addresses: Addresses,
  domains: Pick<VerifiedDomains, 'subdomainOf'>,
  log: Logger,
): Promise<Tracing> => {
  const [
    { defaultTextMapGetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace },
    { setGlobalErrorHandler, W3CTraceContextPropagator },
    { OTLPTraceExporter },
    { detectResources, envDetector, resourceFromAttributes },
    { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ])
  let warnedAt = -WARNING_INTERVAL
  const warn = (err: unknown) => {
    if (performance.now() - warnedAt < WARNING_INTERVAL) return
    warnedAt = performance.now()
    log.warn({ err }, 'Traces could not be sent')
  }
  setGlobalErrorHandler(warn)
  const provider = new TracerProvider({
    resource: detectResources({ detectors: [envDetector] }).merge(
      resourceFromAttributes({ 'service.name': serviceName }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  const tracer = provider.getTracer('space-site')
  const propagator = new W3CTraceContextPropagator()
  const facadeOf = facadeByRequest(addresses, domains)
  const requests = new AsyncLocalStorage<{ context: Context; span: Span; method: string; isNamed: boolean }>()

  const fail = (span: Span) => span.setStatus({ code: SpanStatusCode.ERROR })

  const startRequest = (req: IncomingMessage) => {
    const method = knownMethod(req)
    const parent = propagator.extract(ROOT_CONTEXT, req.headers, defaultTextMapGetter)
    const attributes = {
      'http.request.method': method,
      'server.address': req.headers.host,
      'url.path': pathWithoutSecrets(req),
    }
    const name = `${method} ${facadeOf(req)}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
    return { context: trace.setSpan(parent, span), span, method, isNamed: false }
  }

  return {
    traceRequests: listener => (req, res) => {
      const request = startRequest(req)
      const { span } = request
      res.once('close', () => {
        span.setAttribute('space_site.reference', referenceOf(req))
        if (res.writableFinished) span.setAttribute('http.response.status_code', res.statusCode)
        else span.setAttribute('error.type', 'aborted')
        if (!res.writableFinished || res.statusCode >= 500) fail(span)
        span.end()
      })
      requests.run(request, () => listener(req, res))
    },

    onCall: ({ operation, code, seconds }) => {
      const request = requests.getStore()
      if (!request) return
      const startTime = Date.now() - seconds * 1000
      const attributes = { 'space_site.operation': operation, 'space_site.code': code }
      const span = tracer.startSpan(operation, { startTime, attributes }, request.context)
      if (code === 'internal_error') fail(span)
      span.end()
      // A batch is named after its first call.
      if (!request.isNamed) request.span.updateName(`${request.method} ${operation}`)
      request.isNamed = true
    },

    traceQueries: client => {
      const send = client.query.bind(client) as (...args: unknown[]) => unknown
      const traced = (...args: unknown[]): unknown => {
        const request = requests.getStore()
        const text = textOf(args[0])
        if (!request || text === undefined) return send(...args)
        const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
        const name = /^\w+/.exec(text)?.[0] ?? 'query'
        const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, request.context)
        const result = send(...args)
        const end = () => span.end()
        if (result instanceof Promise)
          result.then(end, () => {
            fail(span)
            end()
          })
        else end()
        return result
      }
      Object.defineProperty(client, 'query', { value: traced })
    },

    stop: async () => {
      const timeout = sleep(STOP_TIMEOUT, undefined, { ref: false }).then(() => {
        throw new Error('The collector does not respond')
      })
      await Promise.race([provider.shutdown(), timeout]).catch(warn)
    },
  }
}

/** The text of a query, which has placeholders for its values. */
const textOf = (query: unknown): string | undefined => {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string'
    ? query.text
    : undefined
}
