/** The baseline for the service: plain node:http and pg with the same queries, as named prepared statements. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool, type PoolClient, type QueryResultRow } from 'pg'
import { newId } from '../../../db/id.ts'
import { report } from './server.ts'

const [url, key = '', pageId = ''] = process.argv.slice(2) as [string, string?, string?]
// It keeps no history, so the triggers that record it do not run.
const pool = new Pool({
  connectionString: url,
  max: 10,
  options: '-c session_replication_role=replica',
})

const STATEMENTS = {
  key: `select key.id, key.scopes, key.expires_at, issuer.account_id, space.id as space_id, space.subdomain, space.name, icon.id as icon_id
    from space_keys as key join participants as issuer on issuer.id = key.issuer_id
    join space_names as space on space.id = issuer.space_id left join icons as icon on icon.space_id = space.id
    where key.secret_hash = $1`,
  page: 'select id, slug, kind, created_at, updated_at, html from pages where space_id = $1 and id = $2',
  pages: 'select id, slug, kind, created_at, updated_at from pages where space_id = $1 order by slug',
  record:
    'select key, value, description, version, updated_at from data_records where space_id = $1 and key = $2',
  lock: 'update spaces set revision = revision + 1 where id = $1 returning id',
  weigh: `select max(version) filter (where key = $2) as version, max(description) filter (where key = $2) as description,
    max(updated_at) filter (where key = $2) as updated_at, (count(*) filter (where key <> $2))::int as other_records,
    coalesce(sum(size) filter (where key <> $2), 0)::int as other_bytes from data_records where space_id = $1`,
  put: `insert into data_records (space_id, key, value, size, description, version, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict (space_id, key) do update
    set value = $3, size = $4, description = $5, version = $6, updated_at = $7`,
  insertPage: `insert into pages (space_id, id, slug, kind, html, includes, created_at, updated_at)
    values ($1, $2, $3, 'scripted', $4, '{}', $5, $5) returning id, slug, kind, created_at, updated_at`,
  count: 'select id from pages where space_id = $1 offset 5000 limit 1',
  bytes: `select blob.bytes from files as file join blobs as blob on blob.space_id = file.space_id and blob.digest = file.digest
    where file.id = $1`,
  range: `select substring(blob.bytes from $2::int for $3::int) as bytes from files as file
    join blobs as blob on blob.space_id = file.space_id and blob.digest = file.digest where file.id = $1`,
  insertBlob:
    'insert into blobs (space_id, digest, bytes, size) values ($1, $2, $3, $4) on conflict do nothing',
  insertFile: `insert into files (space_id, id, name, content_type, size, digest, created_at, updated_at)
    values ($1, $2, $3, 'image/png', $4, $5, $6, $6) returning id, name, size`,
  used: 'select coalesce(sum(size), 0)::int as used from files where space_id = $1',
  session: `select account.id, account.handle, session.last_seen_at from sessions as session
    join accounts as account on account.id = session.account_id where session.token_hash = $1 and session.expires_at > now()`,
  profile: `select account.handle, account.display_name, account.bio, icon.id as icon_id from accounts as account
    left join icons as icon on icon.account_id = account.id where account.id = $1`,
  token: `select token.id, token.scopes, token.expires_at, account.id as account_id, account.handle from user_tokens as token
    join accounts as account on account.id = token.account_id where token.secret_hash = $1`,
  post: `select post.id, author.handle, post.format, post.tags, post.published_at, post.created_at, post.updated_at, post.html, post.url, post.text,
    (select count(*)::int from likes where likes.post_id = post.id) as like_count,
    (select count(*)::int from comments where comments.post_id = post.id) as comment_count
    from posts as post join accounts as author on author.id = post.author_id
    where post.id = $1 and (post.published_at is not null or post.author_id = $2)`,
} as const

type Db = Pick<PoolClient, 'query'>

const all = async (db: Db, name: keyof typeof STATEMENTS, values: unknown[]) =>
  (await db.query<QueryResultRow>({ name, text: STATEMENTS[name], values })).rows

const first = async (db: Db, name: keyof typeof STATEMENTS, values: unknown[]) =>
  (await all(db, name, values))[0]!

const inTransaction = async <T>(work: (db: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  await client.query('begin')
  const result = await work(client)
  await client.query('commit')
  client.release()
  return result
}

const hash = (secret: string) => createHash('sha256').update(secret).digest()
const bearerHash = (req: IncomingMessage) => hash(req.headers.authorization!.slice(7))
const spaceOf = async (req: IncomingMessage) => String((await first(pool, 'key', [bearerHash(req)])).space_id)

const bytesOf = async (req: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const bodyOf = async (req: IncomingMessage) =>
  JSON.parse((await bytesOf(req)).toString()) as Record<string, unknown>

const put = async (spaceId: string, name: string, body: Record<string, unknown>) => {
  const value = JSON.stringify(body.value)
  return inTransaction(async client => {
    await all(client, 'lock', [spaceId])
    const version = Number((await first(client, 'weigh', [spaceId, name])).version ?? 0) + 1
    const now = new Date()
    await all(client, 'put', [spaceId, name, value, Buffer.byteLength(value), null, version, now])
    return { key: name, value: body.value, version, updated_at: now }
  })
}

const createPage = (spaceId: string, { slug, html }: Record<string, unknown>) =>
  inTransaction(async client => {
    await all(client, 'lock', [spaceId])
    const page = await first(client, 'insertPage', [spaceId, newId(), slug, html, new Date()])
    await all(client, 'count', [spaceId])
    return page
  })

const upload = async (spaceId: string, { name, content }: Record<string, unknown>) => {
  const bytes = Buffer.from(String(content), 'base64')
  const digest = createHash('sha256').update(bytes).digest()
  return inTransaction(async client => {
    await all(client, 'lock', [spaceId])
    await all(client, 'used', [spaceId])
    await all(client, 'insertBlob', [spaceId, digest, bytes, bytes.length])
    return first(client, 'insertFile', [spaceId, newId(), name, bytes.length, digest, new Date()])
  })
}

/** A complete response, which the measured service has sent before. */
interface Kept {
  headers: Record<string, string>
  bytes: Buffer
}

const kept = new Map<string, Kept>()

const profileOf = async (req: IncomingMessage) => {
  const token = /session=([^;]+)/.exec(req.headers.cookie ?? '')![1]!
  const { id } = await first(pool, 'session', [hash(token)])
  return first(pool, 'profile', [id])
}

const postOf = async (req: IncomingMessage, id: string) => {
  const { account_id } = await first(pool, 'token', [bearerHash(req)])
  return first(pool, 'post', [id, account_id])
}

const fileOf = async (id: string, range: string | undefined): Promise<Buffer> => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  const row =
    from === undefined
      ? await first(pool, 'bytes', [id])
      : await first(pool, 'range', [id, Number(from) + 1, Number(to) - Number(from) + 1])
  return row.bytes as Buffer
}

/** Returns the response to a request: bytes, or a value to send as JSON. */
const answer = async (req: IncomingMessage): Promise<unknown> => {
  const [, kind = '', name = ''] = req.url!.split('/')
  switch (`${req.method} ${kind}`) {
    case 'GET page':
      return first(pool, 'page', [await spaceOf(req), name])
    case 'GET data':
      return first(pool, 'record', [await spaceOf(req), name])
    case 'GET pages':
      return { data: await all(pool, 'pages', [await spaceOf(req)]) }
    case 'PUT data':
      return put(await spaceOf(req), name, await bodyOf(req))
    case 'POST page':
      return createPage(await spaceOf(req), await bodyOf(req))
    case 'POST file':
      return upload(await spaceOf(req), await bodyOf(req))
    case 'GET file':
      return fileOf(name, req.headers.range)
    case 'GET session':
      return profileOf(req)
    case 'GET post':
      return postOf(req, name)
    case 'PUT kept':
      return void kept.set(name, {
        headers: JSON.parse(String(req.headers['kept-headers'])) as Record<string, string>,
        bytes: await bytesOf(req),
      })
    default:
      return first(pool, 'page', [await spaceOf(req), pageId])
  }
}

const KEPT = '/kept/'

const respond = async (req: IncomingMessage, res: ServerResponse) => {
  const stored = req.method === 'GET' && req.url!.startsWith(KEPT) && kept.get(req.url!.slice(KEPT.length))
  if (stored) return void res.writeHead(200, stored.headers).end(stored.bytes)
  const body = await answer(req)
  const isBytes = Buffer.isBuffer(body)
  res.writeHead(200, { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' })
  res.end(isBytes ? body : JSON.stringify(body ?? null))
}

const server = createServer((req, res) => {
  // The client may have disconnected in the middle of its request.
  respond(req, res).catch(() => res.destroy())
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  report({ port, key, pageId }, async () => {
    server.close()
    await pool.end()
  })
})
