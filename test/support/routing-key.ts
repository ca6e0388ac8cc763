/**
 * A column with the id of a space, or a value that such columns are compared with. Keys that a statement requires to be
 * equal are joined.
 */
export class Key {
  #parent: Key = this
  readonly #values = new Set<unknown>()

  #root(): Key {
    return this.#parent === this ? this : this.#parent.#root()
  }

  static of(value: unknown): Key {
    const key = new Key()
    key.#values.add(value)
    return key
  }

  join(other: Key): void {
    const [to, from] = [this.#root(), other.#root()]
    if (to === from) return
    from.#parent = to
    for (const value of from.#values) to.#values.add(value)
  }

  /** The values that this key must be equal to. */
  values(): ReadonlySet<unknown> {
    return this.#root().#values
  }
}
