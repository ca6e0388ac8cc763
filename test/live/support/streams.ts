import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import type { LiveEvent } from '../../../routers/spaces/live/schema.ts'

/** A message of a stream. `event` is `message` unless the stream names it. */
interface Message {
  event: string
  data: string
  id: string | undefined
}

/** The error with which a stream ends. */
interface StreamError {
  problem: { code: string; status: number }
  retryAfter?: number
}

/** Splits the text of a stream into its messages. */
const messagesOf = (text: string): Message[] =>
  text
    .split('\n\n')
    .filter(part => part.trim() !== '')
    .map(part => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1]
      return { event: field('event') ?? 'message', data: field('data') ?? '', id: field('id') }
    })

/** Returns the error with which a stream has ended. */
export const errorOfStream = (text: string): StreamError => {
  const error = messagesOf(text).find(({ event }) => event === 'serialized-error')
  if (!error) throw new Error(`The stream has no error: ${text}`)
  return (JSON.parse(error.data) as { data: StreamError }).data
}

/** A browser that follows spaces. */
export interface OpenStream {
  /** Waits for the next event, or for the next one of a kind, which must come before the stream ends. */
  next: <Kind extends LiveEvent['kind']>(kind?: Kind) => Promise<Extract<LiveEvent, { kind: Kind }>>
  /** The id of the last event that `next` returned. */
  lastEventId: () => string
  /** Waits until the stream has ended, and returns its error, if it ended with one. */
  end: () => Promise<StreamError | undefined>
  /** Leaves, as a browser whose tab is closed. */
  close: () => void
  headers: Promise<Record<string, unknown>>
}

/**
 * Follows spaces over HTTP. The stream is closed after the test.
 *
 * @param cookie the session cookie as the browser sends it
 */
export const follow = (
  root: string,
  cookie: string,
  subdomains: readonly string[],
  lastEventId?: string,
): OpenStream => {
  const input = encodeURIComponent(
    JSON.stringify({ subdomains, ...(lastEventId === undefined ? {} : { lastEventId }) }),
  )
  let text = ''
  const state = { isOver: false }
  let last = ''
  let read = 0
  let wake = Promise.withResolvers<void>()
  const started = Promise.withResolvers<Record<string, unknown>>()
  const over = () => {
    state.isOver = true
    wake.resolve()
  }
  const req = request(`${root}/trpc/live.follow?input=${input}`, {
    headers: { cookie, accept: 'text/event-stream' },
    agent: false,
  })
  req.on('response', res => {
    started.resolve(res.headers)
    res.setEncoding('utf8').on('data', (part: string) => {
      text += part
      wake.resolve()
    })
    res.on('close', over)
  })
  req.on('error', over)
  req.end()
  const close = () => void req.destroy()
  onTestFinished(close)
  const complete = () => messagesOf(text.slice(0, text.lastIndexOf('\n\n') + 1))
  const events = () => complete().filter(({ event }) => event === 'message')
  return {
    next: async kind => {
      for (;;) {
        const arrived = events()
        while (read < arrived.length) {
          const { data, id } = arrived[read++]!
          last = id ?? last
          const event = JSON.parse(data) as LiveEvent
          if (kind === undefined || event.kind === kind) return event as never
        }
        if (state.isOver) throw new Error(`The stream has ended: ${text}`)
        await wake.promise
        wake = Promise.withResolvers()
      }
    },
    lastEventId: () => last,
    end: async () => {
      while (!state.isOver) {
        await wake.promise
        wake = Promise.withResolvers()
      }
      return complete().some(({ event }) => event === 'serialized-error') ? errorOfStream(text) : undefined
    },
    close,
    headers: started.promise,
  }
}
