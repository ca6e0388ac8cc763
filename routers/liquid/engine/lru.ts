/** A map that drops what was not used for longest as soon as the weights of its entries sum up to more than a limit. */
export class WeightedCache<Value> {
  private readonly entries = new Map<string, { value: Value; weight: number }>()
  private total = 0
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  /** Keeps `value`; if it alone is beyond the limit, then only until the next one comes. */
  set(key: string, value: Value, weight: number): void {
    this.delete(key)
    this.entries.set(key, { value, weight })
    this.total += weight
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.limit || oldest === key) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.entries.delete(key)
    this.total -= entry.weight
  }

  clear(): void {
    this.entries.clear()
    this.total = 0
  }
}
