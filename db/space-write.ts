import type { Tables } from './database.ts'
import type { Transaction } from './transaction.ts'

type WriteRow = Tables['writes']

/** The author of a write, as the history of the space records it. */
export interface Author {
  kind: WriteRow['actor_kind']
  /** The id of the token; for a key, the id before its first rotation; for a session, the id of the account. */
  id: string
  /** The label of the key or token; null for a session. */
  label: string | null
  /** The account that was signed in, or that issued the key or token. */
  accountId: string
  /** The name of the MCP client, as the client reported it; null outside the tool servers. */
  agent: string | null
}

/** A write that is more than a caller's change of one item, so that its changes can be listed and undone together. */
export interface Operation {
  cause: WriteRow['cause']
  id: string
}

/**
 * A write in a transaction that holds the lock of a space and has raised the space's revision. Queries that change the
 * space's content take a `SpaceWrite` instead of `Sql`; triggers record their changes as changes of this write.
 */
export class SpaceWrite {
  readonly sql: Transaction
  readonly spaceId: string
  readonly author: Author
  /** The revision of the write; undefined if the space no longer exists. The transaction waits for it before it commits. */
  readonly revision: Promise<string | undefined>
  /** Number of items that queries for many items have changed so far. */
  changedItems = 0

  constructor(sql: Transaction, spaceId: string, author: Author, revision: Promise<string | undefined>) {
    this.sql = sql
    this.spaceId = spaceId
    this.author = author
    this.revision = revision
  }
}
