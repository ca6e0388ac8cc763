import { styleText } from 'node:util'
import { type DestinationStream, type Logger, pino } from 'pino'

/** What `requests.ts` logs about a request. */
export interface RequestLine {
  method: string
  /** The `Host` header. */
  host: string | undefined
  /** The path without the query. */
  path: string
  /** The status code, or `aborted` if the client left before the end of the response. */
  status: number | 'aborted'
  ms: number
  /** The id that the caller sent in `X-Request-Id`. */
  requestId?: string
}

/** The message of the log line for a request. */
export const REQUEST = 'request'

/** Where log lines are written. */
interface Output {
  isTTY?: boolean
  write(text: string): unknown
}

interface Options {
  output?: Output
  /** Host of the main site. On a terminal, only requests to other hosts show their host. */
  mainHost?: string
}

/**
 * Opens the log of the process, on standard error: JSON lines, or short text on a terminal.
 * Never log secrets, bodies or query strings.
 *
 * @param level lowest level that is logged
 */
export const openLog = async (
  level: string,
  { output = process.stderr, mainHost }: Options = {},
): Promise<Logger> =>
  pino({ level, base: undefined }, output.isTTY ? await terminal(output, mainHost) : together(output))

/** How long lines are collected before they are written together, in ms. Each write takes a system call. */
const DELAY = 10

/**
 * Collects lines and writes them together. Writes the remaining lines before the process exits, and as soon
 * as a fatal error is logged.
 */
const together = (output: Output): DestinationStream & { flushSync(): void } => {
  let lines = ''
  const flushSync = () => {
    if (lines === '') return
    const text = lines
    lines = ''
    output.write(text)
  }
  process.on('exit', flushSync)
  return {
    write: line => {
      if (lines === '') setTimeout(flushSync, DELAY)
      lines += line
    },
    flushSync,
  }
}

type LoggedRequest = RequestLine & { time: number }

const terminal = async (output: Output, mainHost: string | undefined): Promise<DestinationStream> => {
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({ colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })

  /** One line such as `12:00:00 GET garden.sites.localhost:3000/about 200 12 ms`. */
  const requestLine = ({ time, method, host, path, status, ms }: LoggedRequest): string => {
    const clock = styleText('gray', new Date(time).toTimeString().slice(0, 8), {
      stream: output as NodeJS.WriteStream,
    })
    const address = host === undefined || host === mainHost ? path : host + path
    const color = status === 'aborted' || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
    const outcome = styleText(color, String(status), { stream: output as NodeJS.WriteStream })
    return `${clock} ${method} ${address} ${outcome} ${Math.round(ms)} ms\n`
  }

  return {
    write: json => {
      const line = JSON.parse(json) as { msg?: string; time: number }
      output.write(line.msg === REQUEST ? requestLine(line as LoggedRequest) : format(line))
    },
  }
}
