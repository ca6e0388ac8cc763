import { sql } from 'kysely'
import { compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Sql } from '../database.ts'
import type { Author, Operation } from '../space-write.ts'

interface NewWrite {
  spaceId: string
  at: Date
  cause: Operation['cause']
  operation: string | null
  actorKind: Author['kind']
  actor: string
  actorLabel: string | null
  account: string
  agent: string | null
}

const COLUMNS = sql`space_id, revision, at, cause, operation, actor_kind, actor, actor_label, account, agent`

const valuesOf = (write: NewWrite) => sql`
  ${write.at}::timestamptz, ${write.cause}, ${write.operation}, ${write.actorKind}, ${write.actor}, ${write.actorLabel},
  ${write.account}, ${write.agent}`

/**
 * Begins a write: locks the space, raises its revision, and records who writes. Every write to a site's content sends
 * this first, so that only one writer at a time checks quotas, versions and cycles of includes.
 *
 * @returns the new revision; undefined if the space no longer exists
 */
export const beginWrite = async (
  db: Sql,
  spaceId: string,
  { kind, id, label, accountId, agent }: Author,
  operation: Operation | undefined,
): Promise<string | undefined> => {
  const write: NewWrite = {
    spaceId,
    at: new Date(),
    cause: operation?.cause ?? 'write',
    operation: operation?.id ?? null,
    actorKind: kind,
    actor: id,
    actorLabel: label,
    account: accountId,
    agent,
  }
  // Citus does not send a statement to one server if it changes two tables.
  const [raised] = await (db.isDistributed
    ? Promise.all([raiseRevision(db, spaceId), insertWrite(db, write)]).then(([rows]) => rows)
    : raiseAndInsert(db, write))
  return raised?.revision
}

const raiseAndInsert = preparedRows((db, write: NewWrite) => ({
  compile: () =>
    sql<{ revision: string }>`
      with space as (
        update spaces set revision = revision + 1, transaction = pg_current_xact_id()
        where id = ${write.spaceId} returning id, revision
      )
      insert into writes (${COLUMNS}) select id, revision, ${valuesOf(write)} from space
      returning revision`.compile(db),
}))

const raiseRevision = compileOnceRows((db, spaceId: string) =>
  db
    .updateTable('spaces')
    .set({ revision: sql`revision + 1`, transaction: null })
    .where('id', '=', spaceId)
    .returning('revision'),
)

const insertWrite = preparedRows((db, write: NewWrite) => ({
  compile: () =>
    sql<object>`
      insert into writes (${COLUMNS}) select id, revision, ${valuesOf(write)} from spaces where id = ${write.spaceId}`.compile(
      db,
    ),
}))
