/** Shares one run of an asynchronous task among all callers that request the same key while the task is running. */
export class SingleFlight<Result> {
  private readonly running = new Map<string, Promise<Result>>()

  /** The running task for `key`, if there is one. */
  find(key: string): Promise<Result> | undefined {
    return this.running.get(key)
  }

  /** Joins the running task for `key`, or starts `task`. Rejects if the task rejects. */
  run(key: string, task: () => Promise<Result>): Promise<Result> {
    const existing = this.running.get(key)
    if (existing) return existing
    const result = task().finally(() => this.running.delete(key))
    this.running.set(key, result)
    return result
  }
}
