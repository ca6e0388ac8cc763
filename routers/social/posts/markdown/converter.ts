import { Piscina } from 'piscina'
import type { MarkdownConverter } from '../../../core/context.ts'
import { FairQueue } from '../../../core/fair-queue.ts'
import { limitProcessorTime } from './limit-processor-time.ts'
import type { Started, Task } from './worker.ts'

/**
 * Limit on the processor time for converting one text, in ms. An ordinary text of the maximum size takes half a second,
 * and the worst known text 3 s.
 */
const TIME_LIMIT = 20_000

/**
 * Limits on a thread's heap, in megabytes. The young generation can be small, because most objects in it are garbage
 * soon.
 */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 }

/** Time in ms after which idle threads end, which returns their memory to the system. */
const IDLE = 3_000

/** Threads for long texts. With two, one hostile text does not block the others. */
const THREADS_FOR_LONG = 2

/**
 * Texts of up to this many characters take a fraction of a second. They have their own thread, so that they do not wait
 * for long texts.
 */
const SHORT = 32_768

/** Limits on the texts that wait for a thread, in characters. */
export interface MarkdownQueueLimits {
  perAccount: number
  total: number
}

/**
 * Starts the Markdown converter.
 *
 * @param limits on the texts that wait for a thread
 * @param timeLimit milliseconds of processor time that one text may take
 */
export const startMarkdownConverter = (
  limits: MarkdownQueueLimits,
  timeLimit = TIME_LIMIT,
): MarkdownConverter => {
  const forShort = threadPool(1, limits, timeLimit)
  const forLong = threadPool(THREADS_FOR_LONG, limits, timeLimit)
  return {
    convert: (text, account) => (text.length <= SHORT ? forShort : forLong).convert(text, account),
    stop: async () => {
      await Promise.all([forShort.stop(), forLong.stop()])
    },
  }
}

/**
 * A pool whose threads start when the first text arrives. An account uses one thread at a time, and accounts take
 * turns, so that many texts of one account delay others by one text at most.
 */
const threadPool = (threads: number, limits: MarkdownQueueLimits, timeLimit: number): MarkdownConverter => {
  const queue = new FairQueue({
    running: threads,
    runningPerAccount: 1,
    waiting: limits.total,
    waitingPerAccount: limits.perAccount,
  })
  let isStopped = false
  let pool: Piscina<Task, string> | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  /** Callbacks by the id of a task, called when a thread starts the task. */
  const onStart = new Map<number, (started: Started) => void>()

  const start = () => {
    const started = new Piscina<Task, string>({
      filename: new URL('./worker.ts', import.meta.url).href,
      // Set the minimum to the maximum. A thread above the minimum is not replaced after a time limit ends it, even
      // while texts are waiting.
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: HEAP_LIMITS,
    })
    started.on('message', (message: Started) => onStart.get(message.id)?.(message))
    // A thread that dies between two texts is replaced, so ignore the event. Without a listener it would end the
    // process.
    started.on('error', () => {})
    return started
  }

  const convert = async (text: string): Promise<string | null> => {
    if (isStopped) return null
    clearTimeout(idle)
    pool ??= start()
    const running = pool
    const id = ++lastId
    const controller = new AbortController()
    let endLimit = () => {}
    onStart.set(id, ({ threadId, before }) => {
      const thread = running.threads.find(one => one.threadId === threadId)
      if (thread) endLimit = limitProcessorTime(thread, before, timeLimit, () => controller.abort())
    })
    try {
      return await running.run({ id, text }, { signal: controller.signal })
    } catch {
      // Rejected because the text exceeded the limit on time or memory, or because the pool was stopped.
      return null
    } finally {
      endLimit()
      onStart.delete(id)
      if (onStart.size === 0) idle = setTimeout(() => void endThreads(), IDLE).unref()
    }
  }

  const endThreads = async () => {
    clearTimeout(idle)
    const ending = pool
    pool = undefined
    await ending?.destroy()
  }

  return {
    convert: (text, account) => queue.run(account, text.length, () => convert(text)),
    stop: async () => {
      isStopped = true
      await endThreads()
    },
  }
}
