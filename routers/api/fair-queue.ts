import { Problem, unavailable } from './problem.ts'

/** Limits of a fair queue. The owner of the queue chooses the unit in which the size of work is measured. */
export interface FairQueueLimits {
  /** Maximum number of tasks that run at once. */
  running: number
  /** Maximum number of tasks of one account that run at once. */
  runningPerAccount: number
  /** Maximum total size of the waiting tasks. */
  waiting: number
  /** Maximum total size of one account's waiting tasks. */
  waitingPerAccount: number
}

interface Waiting {
  size: number
  start: () => void
}

/** An account, or another caller. */
interface Account {
  running: number
  waiting: Waiting[]
  waitingSize: number
}

/** Maximum time that work waits, in ms; shorter than the server's default timeout for idle connections. */
const MAX_WAIT = 20_000

/** Seconds after which an account with too much waiting work should retry. */
const RETRY_SECONDS = 5

const tooMany = () =>
  new Problem('rate_limited', {
    detail: `Too many requests from this caller are waiting; wait ${RETRY_SECONDS} s.`,
    retryAfter: RETRY_SECONDS,
  })

/** A queue in which accounts take turns, so that nobody waits for all the work that another account has sent. */
export class FairQueue {
  readonly #limits: FairQueueLimits
  /** The accounts in the order of their turns. */
  readonly #accounts = new Map<string, Account>()
  #running = 0
  #waitingSize = 0

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  /**
   * Runs work when it is the account's turn.
   *
   * @throws `rate_limited` when too much work of the account is waiting or this work has waited too long,
   * `unavailable` when too much work of all accounts is waiting
   */
  async run<T>(id: string, size: number, work: () => Promise<T>): Promise<T> {
    const release = await this.take(id, size)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Waits for the account's turn. Throws like `run`.
   *
   * @returns a function that ends the turn (idempotent)
   */
  async take(id: string, size: number): Promise<() => void> {
    const account = this.#accounts.get(id) ?? { running: 0, waiting: [], waitingSize: 0 }
    this.#accounts.set(id, account)
    if (account.waiting.length === 0 && this.#canStart(account)) this.#start(account)
    else
      await this.#wait(account, size).catch((error: unknown) => {
        this.#forgetIfIdle(id, account)
        throw error
      })
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      account.running--
      this.#running--
      // Move the account to the end of the order.
      this.#accounts.delete(id)
      this.#accounts.set(id, account)
      this.#forgetIfIdle(id, account)
      this.#startNext()
    }
  }

  #forgetIfIdle(id: string, { running, waiting }: Account) {
    if (running === 0 && waiting.length === 0) this.#accounts.delete(id)
  }

  #canStart({ running }: Account): boolean {
    return this.#running < this.#limits.running && running < this.#limits.runningPerAccount
  }

  #start(account: Account) {
    account.running++
    this.#running++
  }

  async #wait(account: Account, size: number): Promise<void> {
    if (account.waitingSize + size > this.#limits.waitingPerAccount) throw tooMany()
    if (this.#waitingSize + size > this.#limits.waiting) throw unavailable('Too many requests are waiting.')
    account.waitingSize += size
    this.#waitingSize += size
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        account.waiting.splice(account.waiting.indexOf(entry), 1)
        this.#forgetSize(account, size)
        reject(tooMany())
      }, MAX_WAIT)
      const entry: Waiting = {
        size,
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      account.waiting.push(entry)
    })
  }

  #forgetSize(account: Account, size: number) {
    account.waitingSize -= size
    this.#waitingSize -= size
  }

  #startNext() {
    for (const account of this.#accounts.values()) {
      if (account.waiting.length === 0 || !this.#canStart(account)) continue
      const next = account.waiting.shift()!
      this.#forgetSize(account, next.size)
      this.#start(account)
      return next.start()
    }
  }
}
