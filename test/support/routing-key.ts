/**
 * Stands for the id of a space in a statement: a column that contains the id, or a value that is compared with such a
 * column. Two keys are joined if the statement requires them to be equal.
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

  /** Returns every value that this key, or a key joined with this key, stands for. */
  values(): ReadonlySet<unknown> {
    return this.#root().#values
  }
}
