import type { IncomingHttpHeaders } from 'node:http'
import type { Bench, Measured } from './bench.ts'
import type { LoadRequest, LoadResult } from './load.ts'
import type { Goals, Scenario } from './scenarios.ts'
import type { Trace } from './trace.ts'

/** The figures of one run of a server. CPU times are in µs per request. */
export interface Run extends LoadResult {
  cpu: number
  database: number
}

/** The lowest, the median and the highest of several values. */
export interface Spread {
  median: number
  lowest: number
  highest: number
}

/**
 * A scenario's runs, and their ratios: the service's figure divided by the other server's figure, for each pair of
 * runs.
 */
export interface Figures {
  name: string
  goals: Goals
  ours: Run[]
  other: Run[]
  rate: Spread
  cpu: Spread
  database: Spread
  traces: { request: string; trace: Trace }[]
}

const CONNECTIONS = 16
/**
 * How long each server runs a scenario before the measured runs. In this time, Node compiles most of the code that the
 * scenario runs. The service has far more code to compile than the bare server.
 */
const WARM_UP_SECONDS = 1.2
/** Number of rounds for slow requests, whose runs are longer. */
const LONG_ROUNDS = 3

/**
 * Measures two servers in turns: the service, and the other server of the scenario.
 *
 * @throws when a request fails
 */
export const compare = async (
  bench: Bench,
  scenario: Scenario,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figures> => {
  const other = await otherServer(bench, scenario)
  if (scenario.keepsBytes) await keepBytes(bench, scenario)
  const traces = await traceEach(bench.ours, scenario.ours)

  const { connections = CONNECTIONS, minSeconds = 0 } = scenario
  const measure = async (
    server: Measured,
    requests: LoadRequest[],
    duration = Math.max(seconds, minSeconds),
  ): Promise<Run> => {
    const before = { cpu: server.cpu(), database: bench.databaseCpu() }
    const result = await bench.send({ port: server.port, seconds: duration, connections, requests })
    if (result.errors > 0) throw new Error(`${scenario.name}: ${result.errors} requests failed`)
    return {
      ...result,
      cpu: (server.cpu() - before.cpu) / result.requests,
      database: (bench.databaseCpu() - before.database) / result.requests,
    }
  }
  await measure(bench.ours, scenario.ours, WARM_UP_SECONDS)
  await measure(other, scenario.other, WARM_UP_SECONDS)
  const figures = { ours: [] as Run[], other: [] as Run[] }
  const measureOurs = async () => figures.ours.push(await measure(bench.ours, scenario.ours))
  const measureOther = async () => figures.other.push(await measure(other, scenario.other))
  const count = minSeconds > seconds ? Math.min(rounds, LONG_ROUNDS) : rounds
  for (let round = 0; round < count; round += 1) {
    // The servers take turns at going first, because work left over from one run slows down the next one.
    const turns = [measureOurs, measureOther]
    for (const measureNext of round % 2 === 0 ? turns : turns.toReversed()) await measureNext()
  }
  const ratio = (of: (run: Run) => number) =>
    spreadOf(figures.ours.map((run, round) => of(run) / of(figures.other[round]!)))
  return {
    name: scenario.name,
    goals: scenario.goals,
    ...figures,
    rate: ratio(({ perSecond }) => perSecond),
    cpu: ratio(({ cpu }) => cpu),
    database: ratio(({ database }) => database),
    traces,
  }
}

/** Returns the server that a scenario is compared with. */
const otherServer = (bench: Bench, { beside }: Scenario): Measured | Promise<Measured> => {
  if (beside === 'ours') return bench.ours
  return beside === 'without history' ? bench.withoutHistory() : bench.bare
}

/** Returns the spread of the finite values; zeros if there are none. A pause of a server can make a value infinite. */
const spreadOf = (values: number[]): Spread => {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  if (sorted.length === 0) return { median: 0, lowest: 0, highest: 0 }
  const middle = sorted.length / 2
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
  return { median, lowest: sorted[0]!, highest: sorted.at(-1)! }
}

/** Sends one request. */
const fetchOnce = async (
  { port }: Measured,
  { path, method = 'GET', headers = {}, body, targets }: LoadRequest,
) => {
  const { request } = await import('node:http')
  const text = body?.replaceAll('[number]', () => `traced-${crypto.randomUUID()}`)
  return new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const all = { ...headers, ...targets?.[0]?.headers }
    request({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end(text)
  })
}

/** Headers that each server sets for its own connection. */
const OF_CONNECTION = new Set(['connection', 'date', 'keep-alive'])

/** Fetches the service's response and gives it to the bare server, which then sends the same bytes. */
const keepBytes = async ({ ours, bare }: Bench, scenario: Scenario) => {
  const { headers, bytes } = await fetchOnce(ours, scenario.ours[0]!)
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)))
  await fetch(`http://127.0.0.1:${bare.port}${scenario.other[0]!.path}`, {
    method: 'PUT',
    headers: { 'kept-headers': JSON.stringify(kept) },
    body: new Uint8Array(bytes),
  })
}

/** Lists the SQL statements that each kind of request in a scenario causes when it is sent alone to a warm server. */
const traceEach = async (ours: Measured, requests: LoadRequest[]) => {
  const traces = []
  const isMixed = new Set(requests.map(({ headers }) => headers?.host)).size > 1
  for (const request of isMixed ? requests : requests.slice(0, 1)) {
    await fetchOnce(ours, request)
    await ours.ask('trace')
    await fetchOnce(ours, request)
    traces.push({ request: `${request.method ?? 'GET'} ${request.path}`, trace: await ours.ask('traced') })
  }
  return traces
}
