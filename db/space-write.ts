import type { Sql, Tables } from './orm.ts'

type Changes = Tables['changes']

/** The author of a write, as the history of the space records it. */
export interface Author {
  kind: Changes['actor_kind']
  /** The id of the token, of the key before its first rotation, or, for a session, of the account. */
  id: string
  /** The label of the key or token; null for a session. */
  label: string | null
  /** The account that was signed in, or that issued the key or token. */
  accountId: string
  /** The name of the MCP client, as the client reported it; null outside the tool servers. */
  agent: string | null
}

/** An operation whose changes can be undone together. */
export interface Operation {
  cause: Changes['cause']
  /** Shared by all changes of the operation. */
  id: string
}

/** Number of changes so far in each open transaction, which can hold the writes of several callers. */
const positions = new WeakMap<Sql, number>()

/** Starts counting a transaction's changes; call it at the start of the transaction. */
export const countChanges = (sql: Sql): void => void positions.set(sql, 0)

/**
 * A write in a transaction that holds the lock of a space and has incremented the space's revision. Queries that change
 * the space's content take a `SpaceWrite` instead of `Sql`, so that they can record the change in the history.
 */
export class SpaceWrite {
  readonly sql: Sql
  readonly spaceId: string
  readonly author: Author
  readonly #operation: Operation | undefined

  constructor(sql: Sql, spaceId: string, author: Author, operation?: Operation) {
    this.sql = sql
    this.spaceId = spaceId
    this.author = author
    this.#operation = operation
  }

  get cause(): Changes['cause'] {
    return this.#operation?.cause ?? 'write'
  }

  get operation(): string | null {
    return this.#operation?.id ?? null
  }

  /** Returns the position of the next change within the revision, or of the first of the next `count` changes. */
  nextPosition(count = 1): number {
    const position = positions.get(this.sql) ?? 0
    positions.set(this.sql, position + count)
    return position
  }
}
