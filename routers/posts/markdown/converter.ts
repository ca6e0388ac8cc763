import { Worker } from 'node:worker_threads'

/** Converts Markdown on a thread of its own, because a hostile text of the largest size takes seconds. */
export interface MarkdownConverter {
  /** The HTML of a text; null for a text that cannot be converted within the limits. */
  convert(text: string): Promise<string | null>
  /** Ends the thread; texts that wait are answered with null. */
  stop(): Promise<void>
}

/** Milliseconds one text may take. The worst texts known take 3 s at the largest size, ordinary ones 1 s. */
const LONGEST = 20_000

/** Megabytes of heap that the thread may take. */
const HEAP = 256

interface Job {
  text: string
  settle: (html: string | null) => void
}

/** @param longest milliseconds one text may take; the thread is ended after that, and a new one takes the next */
export const startMarkdownConverter = (longest = LONGEST): MarkdownConverter => {
  const queue: Job[] = []
  let thread: Worker | undefined
  let current: Job | undefined
  let timer: NodeJS.Timeout | undefined

  const next = () => {
    if (current) return
    current = queue.shift()
    if (!current) {
      thread?.unref()
      return
    }
    const { text } = current
    thread ??= startThread()
    const worker = thread
    worker.ref()
    timer = setTimeout(() => void worker.terminate(), longest)
    worker.postMessage(text, [])
  }

  const finish = (html: string | null) => {
    clearTimeout(timer)
    const done = current
    current = undefined
    done?.settle(html)
    next()
  }

  const startThread = (): Worker => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP },
    })
    worker.on('message', (html: string) => finish(html))
    // Its end tells the same, a moment later.
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (thread !== worker) return
      thread = undefined
      finish(null)
    })
    return worker
  }

  return {
    convert: text =>
      new Promise(settle => {
        queue.push({ text, settle })
        next()
      }),
    stop: async () => {
      const waiting = queue.splice(0)
      await thread?.terminate()
      for (const { settle } of waiting) settle(null)
    },
  }
}
