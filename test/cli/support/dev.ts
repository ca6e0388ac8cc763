import { get } from 'node:http'
import { afterEach } from 'vitest'
import { type HostResponse, requestHost } from '../../support/request-host.ts'
import type { Computer } from './terminal.ts'

/** A folder that `space dev` serves. */
export interface Dev {
  port: number
  /** What the command has said about the folder. */
  notes: string[]
  /** Requests a path of the site, or of another host name. */
  open: (
    path: string,
    options?: Parameters<typeof requestHost>[3] & { host?: string },
  ) => Promise<HostResponse>
  /** Waits as an open document does. @returns a function that waits for the next state of the folder */
  listen: () => Promise<() => Promise<string>>
  /** Ends the command. @returns its exit code */
  stop: () => Promise<number>
}

/** Returns a function that starts `space dev` in a folder; the command ends after the test. */
export const useDev = (computer: Computer) => {
  const running: Dev[] = []
  afterEach(async () => {
    for (const dev of running.splice(0)) await dev.stop()
  })
  return async (cwd: string, ...argv: string[]): Promise<Dev> => {
    const stopped = new AbortController()
    const notes: string[] = []
    const started = Promise.withResolvers<string>()
    const ended = computer.space('', ['dev', ...(argv.length > 0 ? argv : ['--port', '0'])], {
      cwd,
      untilStopped: () => stopped.signal,
      print: line => started.resolve(line),
      note: line => void notes.push(line),
    })
    const failed = ended.then(({ code }): never => {
      throw new Error(`space dev ended with ${code}: ${notes.join('\n')}`)
    })
    const port = Number(new URL(await Promise.race([started.promise, failed])).port)
    failed.catch(() => {})
    const dev: Dev = {
      port,
      notes,
      open: (path, { host = 'localhost', ...options } = {}) => requestHost({ port }, host, path, options),
      listen: () => eventsOf(port),
      stop: async () => {
        stopped.abort()
        return (await ended).code
      },
    }
    running.push(dev)
    return dev
  }
}

const eventsOf = async (port: number): Promise<() => Promise<string>> => {
  const seen: string[] = []
  let wake = () => {}
  get(
    { host: '127.0.0.1', port, headers: { host: `tab.events.localhost:${port}` }, agent: false },
    response => {
      response.setEncoding('utf8').on('data', (text: string) => {
        seen.push(...[...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!))
        wake()
      })
      response.on('error', () => {})
    },
  ).on('error', () => {})
  const next = async () => {
    while (seen.length === 0)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    return seen.shift()!
  }
  await next()
  return next
}
