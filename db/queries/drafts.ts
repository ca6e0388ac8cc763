import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Sql, Tables } from '../database.ts'
import { type EditedItem, withoutExisting, withoutRestorable } from './edited-items.ts'

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
  /** The value of `updated_at` in the draft that the editor continues; null if there was no draft. */
  continues: Date | null
}

/**
 * Whether another window has stored the draft since the editor last read or stored the draft. The result is false in
 * two cases:
 *
 * - `updated_at` equals `continues`. Then nobody has stored the draft since.
 * - The draft has the id of the editor. Then the editor itself stored the draft. In this case, `continues` can be
 *   outdated: if the response to the editor's request was lost, the editor does not know the new `updated_at`.
 */
const isFromElsewhere = ({ editor, continues }: ContinuedDraft) => sql<SqlBool>`case
  when updated_at = ${continues}::timestamptz then false
  else (content::json ->> 'editor') is distinct from ${editor} end`

/** Whether another window has stored the account's draft of an item since the editor last read or stored it. */
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

/** The other participants who have a draft of an item of a space, those with the latest drafts first. */
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

/**
 * Returns the number and total bytes of an account's drafts in a space. If no space is given, counts the drafts of
 * posts instead. Leaves out the draft of the given item.
 */
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

/** Whether the item at a place exists. A post counts only if the account is its author. */
export const isDraftable = async (db: Sql, accountId: string, place: DraftPlace): Promise<boolean> =>
  (await withoutExisting(db, [{ ...place, accountId }])).length === 0

/** The columns that identify a draft and its item, for `withoutExisting`. */
const ITEM = [
  'draft.id as id',
  'draft.account_id as accountId',
  'draft.space_id as spaceId',
  'draft.kind as kind',
  'draft.thing as thing',
  'draft.is_new as is_new',
] as const

/** Leaves out drafts of deleted items. */
const visible = async <Draft extends EditedItem & { is_new: boolean }>(
  db: Sql,
  drafts: readonly Draft[],
): Promise<Draft[]> => {
  const saved = drafts.filter(({ is_new }) => !is_new)
  const hidden = new Set(await withoutExisting(db, saved))
  return drafts.filter(draft => !hidden.has(draft))
}

/** Number of characters of a post's text that are read for its title. */
const NAME_LENGTH = 500

/** An account's drafts in a space, or its drafts of posts, latest first. Leaves out drafts of deleted items. */
export const listDrafts = async (db: Sql, accountId: string, spaceId: string | null) => {
  const drafts = await db
    .selectFrom('drafts as draft')
    .where(owned(accountId, spaceId))
    .select(ITEM)
    .select([
      'draft.updated_at',
      sql<string>`coalesce(draft.content::json #>> '{fields,slug}', draft.content::json #>> '{fields,name}',
        draft.content::json #>> '{fields,key}',
        left(draft.content::json #>> array['fields', case draft.content::json #>> '{fields,format}'
          when 'html' then 'html' when 'reblog' then 'url' else 'markdown' end], ${NAME_LENGTH}), '')`.as(
        'name',
      ),
      sql<string | null>`draft.content::json #>> '{fields,format}'`.as('format'),
    ])
    .orderBy('draft.updated_at', 'desc')
    .orderBy('draft.id')
    .execute()
  return (await visible(db, drafts)).map(({ kind, thing, is_new, updated_at, name, format }) => ({
    kind,
    thing,
    is_new,
    updated_at,
    /** The name of an item; the start of the text of a post, in its format. */
    name,
    format,
  }))
}

/**
 * Lets other participants open the preview of a draft.
 *
 * @returns the draft's id, or undefined if there is no such draft
 */
export const shareDraft = async (db: Sql, accountId: string, place: DraftPlace, until: Date) => {
  const { rows } = await sql<{ id: string }>`
    update drafts as draft set shared_until = ${until} where ${at(place, accountId)} returning id`.execute(db)
  return rows[0]?.id
}

/**
 * Returns a draft in a space if the account can preview the draft. An account can preview its own drafts, and drafts
 * that another participant shares.
 */
export const findPreviewableDraft = async (
  db: Sql,
  accountId: string,
  spaceId: string,
  id: string,
  now: Date,
) => {
  const found = await db
    .selectFrom('drafts as draft')
    .innerJoin('accounts as account', 'account.id', 'draft.account_id')
    .where('draft.id', '=', id)
    .where('draft.space_id', '=', spaceId)
    .where(eb => eb.or([eb('draft.account_id', '=', accountId), eb('draft.shared_until', '>', now)]))
    .select(ITEM)
    .select(['draft.content', 'draft.updated_at', 'draft.shared_until', 'account.handle as handle'])
    .execute()
  return (await visible(db, found))[0]
}

/** Deletes drafts that were last changed before a time. @returns how many were deleted, at most `limit` */
export const deleteOldDrafts = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from drafts where id in (
      select id from drafts where updated_at < ${before} order by updated_at limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes drafts. Call only with drafts of deleted items. */
const deleteDrafts = (db: Sql, drafts: readonly { id: string }[]) =>
  sql`delete from drafts where id = any(${drafts.map(({ id }) => id)}) and not is_new`.execute(db)

/**
 * Deletes an account's drafts of deleted items in a space. If `spaceId` is null, deletes the account's drafts of
 * deleted posts.
 */
export const deleteHiddenDrafts = async (
  db: Sql,
  accountId: string,
  spaceId: string | null,
): Promise<void> => {
  const saved = await db
    .selectFrom('drafts as draft')
    .where(owned(accountId, spaceId))
    .where('draft.is_new', '=', false)
    .select(ITEM)
    .execute()
  await deleteDrafts(db, await withoutExisting(db, saved))
}

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
  const batch = await db
    .selectFrom('drafts as draft')
    .where('draft.id', '>', after)
    .select(ITEM)
    .orderBy('draft.id')
    .limit(limit)
    .execute()
  const missing = await withoutExisting(
    db,
    batch.filter(({ is_new }) => !is_new),
  )
  await deleteDrafts(db, await withoutRestorable(db, missing))
  return batch.at(-1)?.id
}
