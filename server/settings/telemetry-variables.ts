import { z } from 'zod'
import { collectorAddress, type Variables, wholeNumber, yesOrNo } from './schemas.ts'

/** What the service tells about itself. */
export const telemetryVariables = {
  VISITS: {
    ...yesOrNo('1'),
    purpose:
      'Whether the visits of sites are counted for the participants of their spaces, without cookies and without storing anything about readers. `0` switches it off for all spaces.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'should be trace, debug, info, warn, error, fatal or silent',
    }),
    fallback: 'info',
    purpose:
      'Lowest level that is logged. `info` logs one line per request, except for successful requests for assets and health checks. `debug` logs those too.',
  },
  METRICS_PORT: {
    schema: wholeNumber(1, 65_535),
    fallback: '',
    purpose:
      'Port on which `GET /metrics` returns metrics for Prometheus. If not set, metrics are off. With `WEB_CONCURRENCY`, each process has its own port, counting up from this one.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: collectorAddress,
    fallback: '',
    purpose:
      'Address of the OpenTelemetry collector. Traces are sent to this address + `/v1/traces`, over OTLP/HTTP with JSON. If not set, no traces are sent. The other standard `OTEL_EXPORTER_OTLP_` variables work too.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: collectorAddress,
    fallback: '',
    purpose: 'The whole address for traces, instead of `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  },
  OTEL_SDK_DISABLED: {
    schema: z.enum(['true', 'false'], { error: 'should be true or false' }),
    fallback: 'false',
    purpose: 'Set to `true` to send no traces.',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().min(1),
    fallback: 'space-site',
    purpose: 'Name of the service in traces.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .refine(value => /^(0(\.\d+)?|1(\.0+)?)$/.test(value), { error: 'should be a number from 0 to 1' })
      .transform(Number),
    fallback: '1',
    purpose:
      'Share of requests that are traced. For a request with a `traceparent` header, its caller decides instead.',
  },
} as const satisfies Variables
