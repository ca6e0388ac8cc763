/** What a child is thought to have: the newest so many entries. Being wrong costs one more message, nothing else. */
export class Known {
  private readonly entries = new Map<string, string>()
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  has(key: string, version = ''): boolean {
    return this.entries.get(key) === version
  }

  add(key: string, version = ''): void {
    this.entries.delete(key)
    this.entries.set(key, version)
    const [oldest] = this.entries.keys()
    if (this.entries.size > this.limit && oldest !== undefined) this.entries.delete(oldest)
  }

  delete(key: string): void {
    this.entries.delete(key)
  }
}
