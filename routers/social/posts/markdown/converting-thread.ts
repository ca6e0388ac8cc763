import { Worker } from 'node:worker_threads'

/** Megabytes of heap that a thread may take. */
const HEAP = 256

/** A text that is to be converted. */
export interface Job {
  text: string
  /** Hears the HTML, or null when the text cannot be converted within the limits. */
  settle: (html: string | null) => void
}

/** A thread that converts one text at a time. It is started with its first text, and again after one that ended it. */
export class ConvertingThread {
  private readonly longest: number
  private readonly onFree: () => void
  private worker: Worker | undefined
  private job: Job | undefined
  private timer: NodeJS.Timeout | undefined

  /**
   * @param longest milliseconds one text may take; the thread is ended after that
   * @param onFree called when a text is done
   */
  constructor(longest: number, onFree: () => void) {
    this.longest = longest
    this.onFree = onFree
  }

  get isFree(): boolean {
    return this.job === undefined
  }

  /** Converts a text, on a thread that is free. */
  start(job: Job): void {
    this.job = job
    this.worker ??= this.launch()
    const { worker } = this
    worker.ref()
    this.timer = setTimeout(() => {
      // An answer that comes while the thread is ending would free it too early.
      worker.removeAllListeners('message')
      void worker.terminate()
    }, this.longest)
    worker.postMessage(job.text, [])
  }

  /** Ends the thread; the text it is at is answered with null. */
  async stop(): Promise<void> {
    await this.worker?.terminate()
  }

  private launch(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP },
    })
    worker.on('message', (html: string) => this.finish(html))
    // Its end tells the same, a moment later.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.worker = undefined
      this.finish(null)
    })
    return worker
  }

  private finish(html: string | null): void {
    clearTimeout(this.timer)
    this.worker?.unref()
    const { job } = this
    this.job = undefined
    job?.settle(html)
    this.onFree()
  }
}
