import type { Sql, Tables } from './orm.ts'

type ChangeRow = Tables['changes']

/** The author of a write, as the history of the space records it. */
export interface Author {
  kind: ChangeRow['actor_kind']
  /** The id of the token; for a key, the id before its first rotation; for a session, the id of the account. */
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
  cause: ChangeRow['cause']
  /** Shared by all changes of the operation. */
  id: string
}

/** The changes of an open transaction, which can contain the writes of several callers. */
interface Changes {
  count: number
  /** The revision of the space; undefined until the database has answered the lock statement. */
  revision: string | undefined
}

const changes = new WeakMap<Sql, Changes>()

/** Starts counting a transaction's changes; call it at the start of the transaction. */
export const countChanges = (sql: Sql): void => void changes.set(sql, { count: 0, revision: undefined })

const changesOf = (sql: Sql): Changes => {
  const found = changes.get(sql)
  if (!found) throw new Error('countChanges was not called for this transaction')
  return found
}

/** Sets the revision of the changes of a transaction. */
export const setRevision = (sql: Sql, revision: string): void => {
  changesOf(sql).revision = revision
}

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

  get cause(): ChangeRow['cause'] {
    return this.#operation?.cause ?? 'write'
  }

  get operation(): string | null {
    return this.#operation?.id ?? null
  }

  /**
   * The revision of the write's changes. The database answers the lock statement first, so the revision is known
   * once the database has answered any statement of the write.
   */
  get revision(): string {
    const { revision } = changesOf(this.sql)
    if (revision === undefined)
      throw new Error('The database has not answered any statement of this write yet')
    return revision
  }

  /** Number of changes in the transaction so far. */
  get changeCount(): number {
    return changesOf(this.sql).count
  }

  /** Reserves positions in the revision for the next `count` changes. Returns the first of these positions. */
  nextPosition(count = 1): number {
    const all = changesOf(this.sql)
    const position = all.count
    all.count += count
    return position
  }
}
