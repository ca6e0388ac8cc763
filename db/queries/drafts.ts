import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

export type DraftKind = Tables['drafts']['kind']

/** Identifies the item that a draft edits. */
export interface DraftPlace {
  /** Null for a post. */
  spaceId: string | null
  kind: DraftKind
  thing: string
}

const at = ({ spaceId, kind, thing }: DraftPlace, accountId: string): RawBuilder<SqlBool> =>
  sql`draft.account_id = ${accountId} and coalesce(draft.space_id, '') = ${spaceId ?? ''}
    and draft.kind = ${kind} and draft.thing = ${thing}`

const owned = (accountId: string, spaceId: string | null): RawBuilder<SqlBool> =>
  sql`draft.account_id = ${accountId} and coalesce(draft.space_id, '') = ${spaceId ?? ''}`

/** Identifies the draft that an editor continues, to detect that another window has replaced it. */
export interface ContinuedDraft {
  /** A random id that the editor generated for itself. */
  editor: string
  /** When the draft that the editor continues was stored; null if there was none. */
  continues: Date | null
}

/**
 * Whether another window has stored the draft since the editor last read or stored it. If the response to the editor's
 * last request was lost, `continues` is outdated, but the draft still has the editor's id.
 */
const isFromElsewhere = ({ editor, continues }: ContinuedDraft) => sql<SqlBool>`case
  when updated_at = ${continues}::timestamptz then false
  else (content::json ->> 'editor') is distinct from ${editor} end`

/** Whether another window than the editor's has stored the account's draft of an item. */
export const hasDraftFromElsewhere = async (
  db: Sql,
  accountId: string,
  place: DraftPlace,
  continued: ContinuedDraft,
): Promise<boolean> =>
  (await db
    .selectFrom('drafts as draft')
    .where(at(place, accountId))
    .where(isFromElsewhere(continued))
    .select('draft.id')
    .executeTakeFirst()) !== undefined

/** An account's draft of one item. */
export const findDraft = (db: Sql, accountId: string, place: DraftPlace) =>
  db
    .selectFrom('drafts as draft')
    .where(at(place, accountId))
    .select(['draft.id', 'draft.content', 'draft.is_new', 'draft.updated_at', 'draft.shared_until'])
    .executeTakeFirst()

/** The other participants who have a draft of an item of a space, latest first. */
export const listOtherDrafts = (
  db: Sql,
  accountId: string,
  { spaceId, kind, thing }: DraftPlace,
  limit: number,
) =>
  db
    .selectFrom('drafts as draft')
    .innerJoin('accounts as account', 'account.id', 'draft.account_id')
    .innerJoin('participants as participant', join =>
      join
        .onRef('participant.account_id', '=', 'draft.account_id')
        .onRef('participant.space_id', '=', 'draft.space_id'),
    )
    .where('draft.space_id', '=', spaceId)
    .where('draft.kind', '=', kind)
    .where('draft.thing', '=', thing)
    .where('draft.account_id', '!=', accountId)
    .select(['account.handle as handle', 'draft.updated_at as updated_at'])
    .orderBy('draft.updated_at', 'desc')
    .limit(limit)
    .execute()

/** Number and bytes of an account's drafts in a space, or of posts, excluding the draft of one item. */
export const findDraftUsage = async (db: Sql, accountId: string, place: DraftPlace) =>
  db
    .selectFrom('drafts as draft')
    .where(owned(accountId, place.spaceId))
    .where(sql<SqlBool>`not (draft.kind = ${place.kind} and draft.thing = ${place.thing})`)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(draft.size), 0)::float8`.as('bytes'),
    ])
    .executeTakeFirstOrThrow()

/** Stores an account's draft, replacing its earlier draft of the same item. */
export const putDraft = async (
  db: Sql,
  accountId: string,
  { spaceId, kind, thing }: DraftPlace,
  draft: { id: string; isNew: boolean; content: string; updatedAt: Date },
): Promise<void> => {
  const size = Buffer.byteLength(draft.content)
  await sql`
    insert into drafts (id, account_id, space_id, kind, thing, is_new, content, size, updated_at)
    values (${draft.id}, ${accountId}, ${spaceId}, ${kind}, ${thing}, ${draft.isNew}, ${draft.content}, ${size},
      ${draft.updatedAt})
    on conflict (account_id, coalesce(space_id, ''), kind, thing)
    do update set content = excluded.content, size = excluded.size, updated_at = excluded.updated_at,
      is_new = excluded.is_new`.execute(db)
}

export const deleteDraft = (
  db: Sql,
  accountId: string,
  { spaceId, kind, thing }: DraftPlace,
  continued?: ContinuedDraft,
) =>
  db
    .deleteFrom('drafts')
    .$if(continued !== undefined, query => query.where(sql<SqlBool>`not ${isFromElsewhere(continued!)}`))
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`coalesce(space_id, '') = ${spaceId ?? ''}`)
    .where('kind', '=', kind)
    .where('thing', '=', thing)
    .execute()

/** Deletes the drafts that an account has in a space. */
export const deleteDraftsInSpace = (db: Sql, accountId: string, spaceId: string) =>
  db.deleteFrom('drafts').where('account_id', '=', accountId).where('space_id', '=', spaceId).execute()

/** Whether the edited item exists; posts belong to their author, everything else to a space. */
const EXISTS = sql<SqlBool>`case draft.kind
  when 'page' then exists (select from pages where pages.space_id = draft.space_id and pages.id = draft.thing)
  when 'part' then exists (select from parts where parts.space_id = draft.space_id and parts.id = draft.thing)
  when 'record' then exists (
    select from data_records as record where record.space_id = draft.space_id and record.key = draft.thing)
  else exists (select from posts where posts.id = draft.thing and posts.author_id = draft.account_id)
end`

/** Whether the history can restore the edited item if it was deleted. */
const RESTORABLE = sql<SqlBool>`case draft.kind
  when 'post' then exists (
    select from post_changes as change
    where change.account_id = draft.account_id and change.post_id = draft.thing and change.action = 'delete')
  else exists (select from changes as change
    where change.space_id = draft.space_id and change.kind = draft.kind and change.thing = draft.thing)
end`

/** Whether an item that an account wants to edit exists. */
export const isDraftable = async (
  db: Sql,
  accountId: string,
  { spaceId, kind, thing }: DraftPlace,
): Promise<boolean> => {
  const { rows } = await sql<{ exists: boolean }>`
    select ${EXISTS} as exists
    from (select ${kind}::text as kind, ${thing}::text as thing, ${spaceId}::text as space_id,
      ${accountId}::text as account_id) as draft`.execute(db)
  return rows[0]!.exists
}

/** An account's drafts in a space, or of posts, latest first. Leaves out those of deleted items. */
export const listDrafts = (db: Sql, accountId: string, spaceId: string | null) =>
  db
    .selectFrom('drafts as draft')
    .where(owned(accountId, spaceId))
    .where(sql<SqlBool>`(draft.is_new or ${EXISTS})`)
    .select([
      'draft.kind',
      'draft.thing',
      'draft.is_new',
      'draft.updated_at',
      sql<string>`coalesce(draft.content::json #>> '{fields,slug}', draft.content::json #>> '{fields,name}',
        draft.content::json #>> '{fields,key}',
        left(draft.content::json #>> array['fields', case draft.content::json #>> '{fields,format}'
          when 'html' then 'html' when 'reblog' then 'url' else 'markdown' end], 120), '')`.as('name'),
    ])
    .orderBy('draft.updated_at', 'desc')
    .orderBy('draft.id')
    .execute()

/** Lets other participants open the preview of a draft. @returns its id, or undefined if there is no such draft */
export const shareDraft = async (db: Sql, accountId: string, place: DraftPlace, until: Date) => {
  const { rows } = await sql<{ id: string }>`
    update drafts as draft set shared_until = ${until} where ${at(place, accountId)} returning id`.execute(db)
  return rows[0]?.id
}

/** A draft of a space that an account can preview: its own, or one that another participant shares. */
export const findPreviewableDraft = (db: Sql, accountId: string, spaceId: string, id: string, now: Date) =>
  db
    .selectFrom('drafts as draft')
    .innerJoin('accounts as account', 'account.id', 'draft.account_id')
    .where('draft.id', '=', id)
    .where('draft.space_id', '=', spaceId)
    .where(eb => eb.or([eb('draft.account_id', '=', accountId), eb('draft.shared_until', '>', now)]))
    .where(sql<SqlBool>`(draft.is_new or ${EXISTS})`)
    .select(['draft.kind', 'draft.thing', 'draft.is_new', 'draft.content', 'draft.updated_at'])
    .select(['draft.shared_until', 'account.handle as handle'])
    .executeTakeFirst()

/** Deletes drafts that were last changed before a time. @returns how many were deleted, at most `limit` */
export const deleteOldDrafts = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from drafts where id in (
      select id from drafts where updated_at < ${before} order by updated_at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes the drafts that an account has of deleted items in a space, or of deleted posts. */
export const deleteHiddenDrafts = (db: Sql, accountId: string, spaceId: string | null) =>
  sql`delete from drafts as draft where ${owned(accountId, spaceId)} and not draft.is_new and not ${EXISTS}`.execute(
    db,
  )

/**
 * Checks the next drafts in the order of their ids, and deletes those whose item was deleted and can't be restored.
 *
 * @returns the id of the last draft that was checked; undefined if there are no more
 */
export const deleteOrphanedDrafts = async (
  db: Sql,
  after: string,
  limit: number,
): Promise<string | undefined> => {
  const { rows } = await sql<{ last: string | null }>`
    with batch as materialized (
      select draft.id, not draft.is_new and not ${EXISTS} and not ${RESTORABLE} as is_orphaned
      from drafts as draft where draft.id > ${after} order by draft.id limit ${limit}
    ), deleted as (
      delete from drafts using batch where drafts.id = batch.id and batch.is_orphaned
    )
    select max(id) as last from batch`.execute(db)
  return rows[0]?.last ?? undefined
}
