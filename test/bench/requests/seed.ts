import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { hashSecret, newSecret } from '../../../routers/api/secret.ts'

/** How many rows to create, in addition to the rows that scenarios use by name. */
export interface SeedSize {
  spaces: number
  records: number
  posts: number
  /** Whether spaces have only records and a single page, to fill very large databases faster. */
  isLean?: true
}

/** A space, with one of its keys and one of its pages. */
export interface SeededSpace {
  subdomain: string
  key: string
  pageId: string
}

/** The resources that scenarios request. */
export interface Seed {
  /** The spaces with a known key; each has the records `record-0` to `record-9`. */
  spaces: SeededSpace[]
  /** `full` has 100 pages, including the static pages `more-0` to `more-47`; `large` has a page of 200 kB. */
  full: SeededSpace
  large: SeededSpace
  token: string
  session: string
  postId: string
  scriptedPageId: string
  files: { small: string; large: string }
  /** Size of the whole database in bytes. */
  databaseBytes: number
}

/**
 * Returns incompressible ASCII text. It is not random bytes, because the load generator decodes responses as UTF-8.
 * Decoding 64 KiB of random bytes would take longer than the server takes to send them.
 */
const asciiBytes = (size: number): Buffer =>
  Buffer.from(randomBytes(size).toString('base64').slice(0, size), 'latin1')

/** Number of spaces with a usable key. */
const KEYS = 1_000
const PAGES_PER_SPACE = 5
const PARTS_PER_SPACE = 2
/** The page with a large body, as an SQL string: page 1 of space 2. No scenario writes to it. */
const LARGE_PAGE = `'2-1'`
const ACCOUNTS = 2_000
/** Number of accounts that write posts. */
const AUTHORS = 100

const TYPICAL_PAGE = `<!doctype html><html lang="en"><head><title>{{ page.slug }} – {{ space.name }}</title></head><body>
<h1>{{ space.name }}</h1><p>{{ data["record-0"].title | escape }}: {{ data["record-0"].places }} places</p>
<ul>{% for item in data["record-1"].list %}<li>{{ item.name | upcase }} {{ item.price | times: 2 }}</li>{% endfor %}</ul>
<nav>{% for other in pages %}<a href="{{ other.url }}">{{ other.slug }}</a> {% endfor %}</nav></body></html>`

const RECORD = JSON.stringify({
  title: 'Open day',
  places: 12,
  list: Array.from({ length: 12 }, (_, at) => ({ name: `no. ${at}`, price: at })),
})

/** Returns SQL for an id that is derived from a name and a number. */
const id = (name: string, number: string) =>
  `translate(substr(md5('${name}' || ${number}), 1, 16), '01', 'yz')`

/** Fills an empty, migrated database with a few SQL statements that each insert many rows. */
export const seed = async (url: string, { spaces, records, posts, isLean }: SeedSize): Promise<Seed> => {
  const client = new Client({ connectionString: url })
  /** Number of spaces that have a file, parts and an icon. */
  const extras = isLean ? 1 : spaces
  await client.connect()
  const run = (text: string, values: unknown[] = []) => client.query(text, values)
  const insert = (table: string, columns: string, select: string, values: unknown[] = []) =>
    run(`insert into ${table} (${columns}) ${select}`, values)

  await run('begin')
  await run('set local statement_timeout = 0')
  // The seeded content has no history.
  await run('set local session_replication_role = replica')
  await insert(
    'accounts',
    'id, handle, created_at',
    `select ${id('account', 'n')}, 'person-' || n, now() from generate_series(0, ${ACCOUNTS}) as n`,
  )
  const account = `(select id from accounts where handle = 'person-0')`
  await insert(
    'spaces',
    'id, subdomain, name, created_at',
    `select ${id('space', 'n')}, 'space-' || n, 'Space ' || n, now() from generate_series(0, ${spaces - 1}) as n`,
  )
  await insert('space_names', 'id, subdomain, name', 'select id, subdomain, name from spaces')
  await insert(
    'participants',
    'id, space_id, account_id, joined_at',
    `select ${id('participant', 'n')}, ${id('space', 'n')}, ${account}, now()
     from generate_series(0, ${spaces - 1}) as n`,
  )
  const secrets = Array.from({ length: Math.min(KEYS, spaces) }, () => newSecret('space_key'))
  await insert(
    'space_keys',
    'id, issuer_id, label, hint, secret_hash, scopes, created_at',
    `select ${id('key', '(n - 1)')}, ${id('participant', '(n - 1)')}, 'bench', 'ss_sk_', hash,
       '{pages,data,files,files_write}', now()
     from unnest($1::bytea[]) with ordinality as secret (hash, n)`,
    [secrets.map(hashSecret)],
  )
  await insert(
    'data_records',
    'space_id, key, value, size, version, updated_at',
    `select ${id('space', `(n / ${records / spaces})`)}, 'record-' || n % ${records / spaces}, $1, length($1), 1, now()
     from generate_series(0, ${records - 1}) as n`,
    [isLean ? '{"title":"Open day","places":12}' : RECORD],
  )
  const page = (slug: string, kind: string, html: string) =>
    `'${slug}' || page, ${kind}, ${html}, '{}', now(), now()`
  const columns = 'space_id, id, slug, kind, html, includes, created_at, updated_at'
  await insert(
    'pages',
    columns,
    `select ${id('space', 'n')}, ${id('page', `n || '-' || page`)},
       ${page('page-', `case when page = 0 then 'static' else 'scripted' end`, '$1')}
     from generate_series(0, ${spaces - 1}) as n, generate_series(0, ${isLean ? 0 : PAGES_PER_SPACE - 1}) as page`,
    [isLean ? '<h1>{{ space.name }}</h1>' : TYPICAL_PAGE],
  )
  await insert(
    'pages',
    columns,
    `select ${id('space', '1')}, ${id('full', 'page')},
       ${page('more-', `case when page < 48 then 'static' else 'scripted' end`, '$1')}
     from generate_series(0, ${99 - PAGES_PER_SPACE}) as page`,
    [TYPICAL_PAGE],
  )
  await run(`update pages set html = repeat($1, 2000) where id = ${id('page', LARGE_PAGE)}`, [
    `<p>${'A paragraph of a long page, with "quotes". '.repeat(2)}</p>\n`.slice(0, 100),
  ])
  const insertFiles = async (
    select: { space: string; id: string; from: string },
    name: string,
    bytes: Buffer,
  ) => {
    await insert(
      'blobs',
      'space_id, digest, bytes, size',
      `select ${select.space}, sha256($1), $1, length($1) ${select.from}`,
      [bytes],
    )
    await insert(
      'files',
      'space_id, id, name, content_type, size, digest, uploaded_by_id, created_at, updated_at',
      `select ${select.space}, ${select.id}, '${name}', 'image/png', ${bytes.length}, sha256($1), ${account}, now(), now() ${select.from}`,
      [bytes],
    )
  }
  const each = {
    space: id('space', 'n'),
    id: id('file', 'n'),
    from: `from generate_series(0, ${extras - 1}) as n`,
  }
  await insertFiles(each, 'picture.png', randomBytes(1000))
  for (const [name, size] of [
    ['small', 65_536],
    ['large', 10_485_760],
  ] as const)
    await insertFiles(
      { space: id('space', '1'), id: id(name, `''`), from: '' },
      `${name}.png`,
      asciiBytes(size),
    )
  await insert(
    'parts',
    'space_id, id, name, html, length, includes, created_at, updated_at',
    `select ${id('space', 'n')}, ${id('part', `n || '-' || part`)}, 'part-' || part, '<p>A part</p>', 13, '{}', now(), now()
     from generate_series(0, ${extras - 1}) as n, generate_series(0, ${PARTS_PER_SPACE - 1}) as part`,
  )
  await insert(
    'icons',
    'id, space_id, png',
    `select ${id('icon', 'n')}, ${id('space', 'n')}, $1 from generate_series(0, ${extras - 1}) as n`,
    [randomBytes(100)],
  )
  await insert(
    'icons',
    'id, account_id, png',
    `select ${id('icon-of', 'n')}, ${id('account', 'n')}, $1 from generate_series(0, ${ACCOUNTS}) as n`,
    [randomBytes(100)],
  )
  for (const [table, kind] of [
    ['pages', 'page'],
    ['files', 'file'],
  ])
    await insert('origins', 'id, kind, space_id', `select id, '${kind}', space_id from ${table}`)
  const token = newSecret('user_token')
  await insert(
    'user_tokens',
    'id, account_id, label, hint, secret_hash, scopes, created_at',
    `select ${id('token', `''`)}, ${account}, 'bench', 'ss_ut_', $1, '{posts,profile}', now()`,
    [hashSecret(token)],
  )
  await insert(
    'user_tokens',
    'id, account_id, label, hint, secret_hash, scopes, created_at',
    `select ${id('token', 'n')}, ${id('account', 'n')}, 'other', 'ss_ut_', sha256(n::text::bytea), '{posts}', now()
     from generate_series(1, ${ACCOUNTS}) as n`,
  )
  await insert(
    'sessions',
    'token_hash, id, account_id, created_at, last_seen_at, confirmed_at, expires_at',
    `select sha256(n::text::bytea), ${id('session', 'n')}, ${id('account', 'n')}, now(), now(), now(), now() + interval '30 days'
     from generate_series(1, ${ACCOUNTS}) as n`,
  )
  const session = randomBytes(32).toString('base64url')
  await insert(
    'sessions',
    'token_hash, id, account_id, created_at, last_seen_at, confirmed_at, expires_at',
    `select $1, ${id('session', `''`)}, ${account}, now(), now(), now(), now() + interval '30 days'`,
    [hashSecret(session)],
  )
  await insert(
    'posts',
    'id, author_id, format, html, tags, published_at, created_at, updated_at',
    `select ${id('post', 'n')}, ${id('account', `(1 + n % ${AUTHORS})`)}, 'rich', $1, '{news}', at, at, at
     from generate_series(0, ${posts - 1}) as n, lateral (select now() - n * interval '1 minute' as at) as time`,
    [`<h1>News</h1>${'<p>A paragraph of a post that people read on the timeline.</p>'.repeat(8)}`],
  )
  await insert(
    'likes',
    'post_id, account_id',
    `select ${id('post', 'n')}, ${id('account', 'person')}
     from generate_series(0, ${Math.min(posts, 1000) - 1}) as n, generate_series(1, 10) as person`,
  )
  await insert(
    'comments',
    'id, post_id, author_id, body, created_at, updated_at',
    `select ${id('comment', `n || '-' || person`)}, ${id('post', 'n')}, ${id('account', 'person')}, 'Well said', now(), now()
     from generate_series(0, ${Math.min(posts, 1000) - 1}) as n, generate_series(1, 10) as person`,
  )
  await run('commit')
  // Servers that skip the triggers of the history check foreign keys nevertheless.
  const { rows: checks } = await run(
    'select tgrelid::regclass as "table", quote_ident(tgname) as name from pg_trigger where tgisinternal',
  )
  for (const { table, name } of checks) await run(`alter table ${table} enable always trigger ${name}`)
  await run('vacuum analyze')

  const { rows: ids } = await run(
    `select ${id('full', '60')} as scripted, ${id('post', '0')} as post, ${id('small', `''`)} as small,
       ${id('large', `''`)} as large, ${id('page', LARGE_PAGE)} as large_page,
       pg_database_size(current_database())::float8 as bytes`,
  )
  const { rows: pageIds } = await run(
    `select ${id('page', `n || '-0'`)} as id from generate_series(0, ${secrets.length - 1}) as n order by n`,
  )
  await client.end()
  const seeded = secrets.map((key, n) => ({ subdomain: `space-${n}`, key, pageId: String(pageIds[n].id) }))
  return {
    spaces: seeded,
    full: seeded[1]!,
    large: { ...seeded[2]!, pageId: ids[0].large_page },
    token,
    session,
    postId: ids[0].post,
    scriptedPageId: ids[0].scripted,
    files: { small: ids[0].small, large: ids[0].large },
    databaseBytes: ids[0].bytes,
  }
}
