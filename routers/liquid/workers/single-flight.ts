/** Shares one run of an asynchronous task among all callers that ask for the same key while it is under way. */
export class SingleFlight<Result> {
  private readonly running = new Map<string, Promise<Result>>()

  /** The run under way for `key`, if any. */
  find(key: string): Promise<Result> | undefined {
    return this.running.get(key)
  }

  /** Joins the run under way for `key`, or starts `task`. Rejects with whatever the task rejects with. */
  run(key: string, task: () => Promise<Result>): Promise<Result> {
    const existing = this.running.get(key)
    if (existing) return existing
    const result = task().finally(() => this.running.delete(key))
    this.running.set(key, result)
    return result
  }
}
