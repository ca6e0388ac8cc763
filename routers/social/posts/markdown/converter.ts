import type { MarkdownConverter } from '../../../core/context.ts'
import { ConvertingThread, type Job } from './converting-thread.ts'

/** Milliseconds one text may take. The worst texts known take 3 s at the largest size, ordinary ones 1 s. */
const LONGEST = 20_000

/** Threads that take texts of any size: a hostile one leaves a thread to the others. */
const THREADS = 2

/** Characters up to which a text takes at most a fraction of a second. Such texts have a thread to themselves. */
const SMALL = 32_768

/** @param longest milliseconds one text may take; its thread is ended after that, and a new one takes the next */
export const startMarkdownConverter = (longest = LONGEST): MarkdownConverter => {
  const queue: Job[] = []

  const assign = () => {
    for (const job of queue.slice()) {
      const isSmall = job.text.length <= SMALL
      const thread = (isSmall && forSmall.isFree && forSmall) || forAny.find(({ isFree }) => isFree)
      if (!thread) continue
      queue.splice(queue.indexOf(job), 1)
      thread.start(job)
    }
  }

  const forSmall = new ConvertingThread(longest, assign)
  const forAny = Array.from({ length: THREADS }, () => new ConvertingThread(longest, assign))

  return {
    convert: text =>
      new Promise(settle => {
        queue.push({ text, settle })
        assign()
      }),
    stop: async () => {
      const waiting = queue.splice(0)
      await Promise.all([forSmall, ...forAny].map(thread => thread.stop()))
      for (const { settle } of waiting) settle(null)
    },
  }
}
