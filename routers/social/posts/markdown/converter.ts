import { Piscina } from 'piscina'
import type { MarkdownConverter, MarkdownKind } from '../../../api/context.ts'
import { FairQueue } from '../../../api/fair-queue.ts'
import { limitProcessorTime } from './limit-processor-time.ts'
import type { Started, Task } from './worker.ts'

/**
 * Limit on the processor time of one conversion, in ms. Ordinary Markdown of the maximum size takes half a second, and
 * the worst known input 3 s.
 */
const TIME_LIMIT = 20_000

/**
 * Limits on a thread's heap, in megabytes. The worst known input of the maximum size needs 176. The young generation
 * can be small, because most objects in it soon become garbage.
 */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 208, maxYoungGenerationSizeMb: 12 }

/** Time in ms after which idle threads end, which returns their memory to the system. */
const IDLE = 3_000

/**
 * Maximum lengths of short and of long inputs, in characters. A conversion takes processor time and memory in
 * proportion to the length. So there is one thread for short inputs, one for long inputs, and one for even
 * longer inputs. Shorter inputs do not wait for longer ones. The longest inputs take up to 200 MB each, but
 * only one of them is converted at a time.
 */
const LENGTHS = { short: 32_768, long: 262_144 }

/** Limits on the Markdown that waits for conversion, in characters. */
export interface MarkdownQueueLimits {
  perAccount: number
  total: number
}

/**
 * Starts the Markdown converter.
 *
 * @param limits the limits on waiting Markdown; each thread has these limits separately
 * @param timeLimit milliseconds of processor time that one conversion may take
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
 * A thread with a queue. The thread starts with the first conversion. Accounts take turns: even if one account
 * has many conversions, any other account waits for at most one of them.
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
      // The minimum must be as high as the maximum. After a time limit has ended a thread, the pool starts a new one
      // only if it has fewer threads than the minimum, even if conversions are waiting.
      minThreads: 1,
      maxThreads: 1,
      resourceLimits: HEAP_LIMITS,
    })
    started.on('message', (message: Started) => onStart.get(message.id)?.(message))
    // A thread that dies between two conversions is replaced, so ignore the event. Without a listener, the event would
    // end the process.
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
      // Rejected because the conversion exceeded the limit on time or memory, or because the pool was stopped.
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
