import { type RawBuilder, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql } from '../orm.ts'

/** How much of each limit the content of a space uses. */
interface ContentUsage {
  pages: number
  /** The page with the slug `index`. */
  home_page_id: string | null
  parts: number
  /** Code points of all parts. */
  parts_length: number
  records: number
  /** Bytes of all records' values. */
  data_bytes: number
  files: number
  file_bytes: number
  /** Whether the content was ever changed, not counting imports such as the starter of a new space. */
  is_edited: boolean
}

/** How many people and programs have access to a space. */
interface AccessUsage {
  participants: number
  /** Keys that have not expired. */
  keys: number
  /** Whether any of the space's keys was ever used at the tool server. */
  is_used_by_agent: boolean
}

/** A space's usage. Sends two queries at once, because the content and the directory can be on different servers. */
export const spaceUsage = async (
  db: Sql,
  spaceId: string,
  now: Date,
): Promise<ContentUsage & AccessUsage> => {
  const [content, access] = await Promise.all([contentUsage(db, spaceId), accessUsage(db, spaceId, now)])
  return { ...content!, ...access! }
}

const contentUsage = compileOnce((db, spaceId: string) => ({
  compile: () =>
    sql<ContentUsage>`
    select page.*, part.*, record.*, file.*, edit.*
    from
      (select count(*)::int as pages, max(id) filter (where slug = 'index') as home_page_id
        from pages where space_id = ${spaceId}) as page,
      (select count(*)::int as parts, coalesce(sum(length), 0)::int as parts_length
        from parts where space_id = ${spaceId}) as part,
      (select count(*)::int as records, coalesce(sum(size), 0)::int as data_bytes
        from data_records where space_id = ${spaceId}) as record,
      (select count(*)::int as files, coalesce(sum(size), 0)::int as file_bytes
        from files where space_id = ${spaceId}) as file,
      (select exists(
          select 1 from changes join writes on writes.space_id = ${spaceId} and writes.revision = changes.revision
          where changes.space_id = ${spaceId} and cause = 'write' and kind <> 'space'
        ) as is_edited) as edit`.compile(db),
}))

const accessUsage = compileOnce((db, spaceId: string, now: Date) => ({
  compile: () =>
    sql<AccessUsage>`
    select participant.*, key.*
    from
      (select count(*)::int as participants from participants where space_id = ${spaceId}) as participant,
      (select
          (count(*) filter (where expires_at is null or expires_at > ${now}))::int as keys,
          coalesce(bool_or(used_by_agent), false) as is_used_by_agent
        from space_keys
        where issuer_id in (select id from participants where space_id = ${spaceId})) as key`.compile(db),
}))

/** A recent change in a space. */
export interface Change {
  kind: 'page' | 'part' | 'record' | 'file'
  /** The id of the item; for a record, its key. */
  id: string
  name: string
  changed_at: Date
  /** Whether the item is unchanged since its creation. */
  is_new: boolean
}

/** The most recent changes in a space, newest first. Deletions are not included. */
export const listRecentChanges = async (db: Sql, spaceId: string, limit: number): Promise<Change[]> => {
  const latest = (rows: RawBuilder<unknown>) =>
    sql`(${rows} where space_id = ${spaceId} order by updated_at desc limit ${limit})`
  const { rows } = await sql<Change>`
    select kind, id, name, updated_at as changed_at, is_new
    from (
      ${latest(sql`select 'page' as kind, id, slug as name, updated_at, updated_at = created_at as is_new from pages`)}
      union all
      ${latest(sql`select 'part', id, name, updated_at, updated_at = created_at from parts`)}
      union all
      ${latest(sql`select 'record', key, key, updated_at, version = 1 from data_records`)}
      union all
      ${latest(sql`select 'file', id, name, updated_at, updated_at = created_at from files`)}
    ) as change
    order by updated_at desc, kind, id
    limit ${limit}`.execute(db)
  return rows
}
