import { Piscina } from 'piscina'
import type { MarkdownConverter, MarkdownKind } from '../../../core/context.ts'
import { FairQueue } from '../../../core/fair-queue.ts'
import { limitProcessorTime } from './limit-processor-time.ts'
import type { Started, Task } from './worker.ts'

/**
 * Limit on the processor time for converting one text, in ms. An ordinary text of the maximum size takes half a second,
 * and the worst known text 3 s.
 */
const TIME_LIMIT = 20_000

/**
 * Limits on a thread's heap, in megabytes. The worst known text of the maximum size needs 176. The young generation can
 * be small, because most objects in it soon become garbage.
 */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 208, maxYoungGenerationSizeMb: 12 }

/** Time in ms after which idle threads end, which returns their memory to the system. */
const IDLE = 3_000

/**
 * Maximum lengths of short and of long texts, in characters. Converting a text takes processor time and memory in
 * proportion to its length, so each length has a thread of its own: shorter texts do not wait for longer ones, and only
 * one of the longest, which take up to 200 MB each, is converted at a time.
 */
const LENGTHS = { short: 32_768, long: 262_144 }

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
  const start = () => textQueue(limits, timeLimit)
  const [short, long, longest] = [start(), start(), start()]
  const of = ({ length }: string) =>
    length <= LENGTHS.short ? short : length <= LENGTHS.long ? long : longest
  return {
    convert: (text, account, kind) => of(text).convert(text, account, kind),
    stop: async () => {
      await Promise.all([short.stop(), long.stop(), longest.stop()])
    },
  }
}

/**
 * A thread with a queue. The thread starts when the first text arrives. Accounts take turns, so that many texts of one
 * account delay others by one text at most.
 */
const textQueue = (limits: MarkdownQueueLimits, timeLimit: number): MarkdownConverter => {
  const queue = new FairQueue({
    running: 1,
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
      minThreads: 1,
      maxThreads: 1,
      resourceLimits: HEAP_LIMITS,
    })
    started.on('message', (message: Started) => onStart.get(message.id)?.(message))
    // A thread that dies between two texts is replaced, so ignore the event. Without a listener it would end the
    // process.
    started.on('error', () => {})
    return started
  }

  const convert = async (text: string, kind: MarkdownKind): Promise<string | null> => {
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
      return await running.run({ id, text, kind }, { signal: controller.signal })
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
    convert: (text, account, kind = 'post') => queue.run(account, text.length, () => convert(text, kind)),
    stop: async () => {
      isStopped = true
      await endThreads()
    },
  }
}
