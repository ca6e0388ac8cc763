import { type RawBuilder, sql } from 'kysely'
import type { Sql, Tables } from '../database.ts'
import { isContentServerAway } from '../errors.ts'
import { TITLE_EXCERPT } from './posts.ts'

// These searches run while a person types. Each reads only names, and at most as many rows as one owner can have.

const contains = (column: RawBuilder<unknown>, needle: string) =>
  sql<boolean>`position(lower(${needle}) in lower(${column})) > 0`

const startsWith = (column: RawBuilder<unknown>, needle: string) =>
  sql<boolean>`starts_with(lower(${column}), lower(${needle}))`

/**
 * Finds the spaces of an account whose subdomain or name contains a string, ignoring case. Spaces whose subdomain or
 * name starts with the string come first, then all others. Both groups are sorted by the time of the account's last
 * change to the space, latest first. If there is no such change, the time when the account joined the space counts.
 *
 * @param needle empty to find all spaces
 */
export const findSpacesOfAccount = async (db: Sql, accountId: string, needle: string, limit: number) => {
  const subdomain = sql.ref('space.subdomain')
  const name = sql.ref('space.name')
  const { rows: spaces } = await sql<{
    id: string
    subdomain: string
    name: string
    icon_id: string | null
    joined_at: Date
    starts: boolean
  }>`
    select space.id, space.subdomain, space.name, icon.id as icon_id, participant.joined_at,
      ${startsWith(subdomain, needle)} or ${startsWith(name, needle)} as starts
    from participants as participant
    join space_names as space on space.id = participant.space_id
    left join icons as icon on icon.space_id = space.id
    where participant.account_id = ${accountId}
      and (${contains(subdomain, needle)} or ${contains(name, needle)})
    order by space.subdomain`.execute(db)
  const changedAt = await findLastChanges(
    db,
    accountId,
    spaces.map(({ id }) => id),
  )
  const usedAt = (space: (typeof spaces)[number]) => (changedAt.get(space.id) ?? space.joined_at).getTime()
  return spaces
    .toSorted((a, b) => Number(b.starts) - Number(a.starts) || usedAt(b) - usedAt(a))
    .slice(0, limit)
}

/** Returns the time of an account's last change to each space. Returns an empty map while a content server is down. */
const findLastChanges = async (
  db: Sql,
  accountId: string,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> => {
  try {
    // The lateral join reads one row of each space. Both tables are distributed by space, so each server joins its own
    // rows.
    const { rows } = await sql<{ id: string; at: Date }>`
      select space.id, change.at from spaces as space cross join lateral (
        select at from writes where writes.space_id = space.id and writes.actor = ${accountId}
        order by revision desc limit 1
      ) as change
      where space.id = any(${spaceIds})`.execute(db)
    return new Map(rows.map(({ id, at }) => [id, at]))
  } catch (error) {
    if (isContentServerAway(error)) return new Map()
    throw error
  }
}

/** An item of a space that was found by its name. */
export interface FoundItem {
  kind: 'page' | 'part' | 'record' | 'file'
  /** The id of the item; for a record, its key. */
  id: string
  name: string
}

/**
 * Finds items of a space whose name contains a string, ignoring case. Within each kind, names that start with the
 * string come first.
 *
 * @param limit maximum number of items of each kind
 */
export const findItemsByName = async (
  db: Sql,
  spaceId: string,
  needle: string,
  limit: number,
): Promise<FoundItem[]> => {
  const named = (kind: FoundItem['kind'], table: string, id: string, name: string) => sql`(
    select ${sql.lit(kind)} as kind, ${sql.ref(id)} as id, ${sql.ref(name)} as name
    from ${sql.table(table)}
    where space_id = ${spaceId} and ${contains(sql.ref(name), needle)}
    order by not ${startsWith(sql.ref(name), needle)}, ${sql.ref(name)}
    limit ${limit})`
  const { rows } = await sql<FoundItem>`
    ${named('page', 'pages', 'id', 'slug')}
    union all ${named('part', 'parts', 'id', 'name')}
    union all ${named('record', 'data_records', 'key', 'key')}
    union all ${named('file', 'files', 'id', 'name')}`.execute(db)
  return rows
}

/**
 * The pages of a space whose body contains a text, exactly as it is written; sorted by slug, with the length of the
 * body.
 */
export const listPagesContaining = (db: Sql, spaceId: string, text: string, limit: number) =>
  db
    .selectFrom('pages')
    .where('space_id', '=', spaceId)
    .where(sql<boolean>`position(${text} in html) > 0`)
    .select(['id', 'slug', sql<number>`length(html)`.as('length')])
    .orderBy('slug')
    .limit(limit)
    .execute()

/** The parts of a space whose body contains a text, exactly as it is written; sorted by name. */
export const listPartsContaining = (db: Sql, spaceId: string, text: string, limit: number) =>
  db
    .selectFrom('parts')
    .where('space_id', '=', spaceId)
    .where(sql<boolean>`position(${text} in html) > 0`)
    .select(['id', 'name', 'length'])
    .orderBy('name')
    .limit(limit)
    .execute()

/** A name or body that contains the search text. */
export interface FoundText {
  kind: 'page' | 'part' | 'record' | 'file'
  id: string
  name: string
  field: 'name' | 'html' | 'value' | 'description'
  text: string
}

const FIELDS: readonly FoundText['field'][] = ['name', 'html', 'value', 'description']

/** What a search in the texts of a space reads and returns. */
interface TextSearch {
  /** The kinds of items to search. */
  kinds: readonly FoundText['kind'][]
  /** Where to search; by default, in names and in all texts. */
  fields?: readonly FoundText['field'][] | undefined
  /** Maximum number of results. */
  limit: number
  /** Maximum number of results of each kind; by default, `limit`. */
  each?: number | undefined
  /** Maximum number of bytes to search: names first, then bodies by kind and name. */
  bytes: number
}

/**
 * Finds the names and bodies in a space that contain a string, ignoring case; sorted by kind and name.
 *
 * @returns the results, and whether everything was searched
 */
export const findTexts = async (
  db: Sql,
  spaceId: string,
  needle: string,
  { kinds, fields = FIELDS, limit, each = limit, bytes }: TextSearch,
): Promise<{ found: FoundText[]; isComplete: boolean }> => {
  const { rows } = await sql<(FoundText | { kind: null }) & { is_complete: boolean }>`
    with item as (
      select 'page' as kind, id, slug as name, 'name' as field, slug as text from pages where space_id = ${spaceId}
      union all select 'page', id, slug, 'html', html from pages where space_id = ${spaceId}
      union all select 'part', id, name, 'name', name from parts where space_id = ${spaceId}
      union all select 'part', id, name, 'html', html from parts where space_id = ${spaceId}
      union all select 'record', key, key, 'name', key from data_records where space_id = ${spaceId}
      union all select 'record', key, key, 'value', value from data_records where space_id = ${spaceId}
      union all select 'record', key, key, 'description', description from data_records where space_id = ${spaceId}
      union all select 'file', id, name, 'name', name from files where space_id = ${spaceId}
    ), sized as (
      select *, sum(octet_length(text)) over (order by field <> 'name', kind, name, id, field) as bytes_so_far
      from item where kind = any(${kinds}::text[]) and field = any(${fields}::text[])
    ), matching as (
      select *, row_number() over (partition by kind order by name, id, field) as place from sized
      where bytes_so_far <= ${bytes} and position(lower(${needle}) in lower(text)) > 0
    )
    select is_complete, found.*
    from (select coalesce(max(bytes_so_far), 0) <= ${bytes} as is_complete from sized) as sum
    left join lateral (
      select kind, id, name, field, text from matching where place <= ${each}
      order by kind, name, id, field
      limit ${limit}
    ) as found on true`.execute(db)
  return {
    found: rows.filter(row => row.kind !== null),
    isComplete: rows.every(({ is_complete }) => is_complete),
  }
}

/** Pages that include one of these parts by literal name, directly or through other parts; sorted by slug. */
export const listPagesIncludingTransitively = async (
  db: Sql,
  spaceId: string,
  names: readonly string[],
): Promise<Pick<Tables['pages'], 'id' | 'slug' | 'kind'>[]> => {
  const { rows } = await sql<Pick<Tables['pages'], 'id' | 'slug' | 'kind'>>`
    with recursive reached (name) as (
      select name collate "C" from unnest(${names}::text[]) as given (name)
      union
      select part.name::text from parts as part, reached
      where part.space_id = ${spaceId} and part.includes @> array[reached.name]::text[]
    )
    select page.id, page.slug, page.kind from pages as page
    where page.space_id = ${spaceId} and page.includes && array(select name from reached)::text[]
    order by page.slug`.execute(db)
  return rows
}

/** The pages, parts and records of a space whose text contains a URL, with any scheme or without one. */
export const findUrlUses = async (db: Sql, spaceId: string, url: string) => {
  const needle = url.slice(url.indexOf('//'))
  const [pages, parts, records] = [
    await db
      .selectFrom('pages')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${needle} in html) > 0`)
      .select(['id', 'slug'])
      .orderBy('slug')
      .execute(),
    await db
      .selectFrom('parts')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${needle} in html) > 0`)
      .select(['id', 'name'])
      .orderBy('name')
      .execute(),
    await db
      .selectFrom('data_records')
      .where('space_id', '=', spaceId)
      .where(sql<boolean>`position(${needle} in value) > 0`)
      .select('key')
      .orderBy('key')
      .execute(),
  ]
  return { pages, parts, records }
}

/** Characters of a post that are returned before its match, and in total. */
const PIECE = { before: 300, length: 1000 }

/**
 * Finds the newest posts of an author whose text contains one of the given spellings of a text, ignoring case. Returns
 * each with the start of its document, and a piece of its source around the match.
 *
 * @param spellings the same text in Markdown and in HTML
 * @param scan how many posts are searched, from the newest; `bytes`: how many bytes of them
 */
export const findPostTexts = async (
  db: Sql,
  authorId: string,
  spellings: readonly [string, string],
  { scan, bytes, limit }: { scan: number; bytes: number; limit: number },
) => {
  const [one, other] = spellings
  const { rows } = await sql<
    Pick<Tables['posts'], 'format' | 'html' | 'url' | 'text'> & {
      id: string
      is_draft: boolean
      is_markdown: boolean
      piece: string
    }
  >`
    with newest as (
      select id, format, html, url, text, published_at is null as is_draft, markdown is not null as is_markdown,
        coalesce(markdown, html, text, '') as source, created_at, position as place
      from posts where author_id = ${authorId}
      order by created_at desc, position desc
      limit ${scan}
    ), sized as (
      select *, sum(octet_length(source)) over (order by created_at desc, place desc) as bytes_so_far from newest
    ), matching as (
      select *, greatest(position(lower(${one}) in lower(source)), position(lower(${other}) in lower(source))) as at
      from sized where bytes_so_far <= ${bytes}
    )
    select id, format, left(html, ${TITLE_EXCERPT}) as html, url, text, is_draft, is_markdown,
      substr(source, greatest(1, at - ${PIECE.before}::int), ${PIECE.length}::int) as piece
    from matching where at > 0
    order by created_at desc, place desc
    limit ${limit}`.execute(db)
  return rows
}
