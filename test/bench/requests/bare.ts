/** The baseline: node:http and pg with the same queries and nothing else. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { report } from './server.ts'

const [url, key, pageId] = process.argv.slice(2) as [string, string, string]
const pool = new Pool({ connectionString: url, max: 10 })

const KEY = `select key.id, key.scopes, issuer.account_id, space.id as space_id, space.subdomain, space.name, icon.id as icon_id
  from space_keys as key join participants as issuer on issuer.id = key.issuer_id
  join spaces as space on space.id = issuer.space_id left join icons as icon on icon.space_id = space.id
  where key.secret_hash = $1`
const PAGE = `select id, slug, kind, created_at, updated_at, html from pages where space_id = $1 and id = $2`
const WEIGH = `select max(version) filter (where key = $2) as version, max(description) filter (where key = $2) as description,
  max(updated_at) filter (where key = $2) as updated_at, (count(*) filter (where key <> $2))::int as other_records,
  coalesce(sum(size) filter (where key <> $2), 0)::int as other_bytes from data_records where space_id = $1`
const PUT = `insert into data_records (space_id, key, value, size, description, version, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict (space_id, key) do update
  set value = $3, size = $4, description = $5, version = $6, updated_at = $7`

const bodyOf = async (req: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as { value: unknown }
}

const put = async (spaceId: string, body: { value: unknown }) => {
  const value = JSON.stringify(body.value)
  const client = await pool.connect()
  await client.query('begin')
  await client.query('update spaces set revision = revision + 1 where id = $1 returning id', [spaceId])
  const { rows } = await client.query<{ version: number | null }>(WEIGH, [spaceId, 'record'])
  const version = (rows[0]?.version ?? 0) + 1
  const now = new Date()
  await client.query(PUT, [spaceId, 'record', value, Buffer.byteLength(value), null, version, now])
  await client.query('commit')
  client.release()
  return { key: 'record', value: body.value, version, updated_at: now }
}

const answer = async (req: IncomingMessage) => {
  const secret = createHash('sha256').update(req.headers.authorization!.slice(7)).digest()
  const { rows } = await pool.query<{ space_id: string }>(KEY, [secret])
  const spaceId = rows[0]!.space_id
  if (req.method === 'PUT') return put(spaceId, await bodyOf(req))
  return (await pool.query(PAGE, [spaceId, pageId])).rows[0] as unknown
}

const respond = async (req: IncomingMessage, res: ServerResponse) => {
  const body = JSON.stringify(await answer(req))
  res.writeHead(200, { 'content-type': 'application/json' })
  res.end(body)
}

const server = createServer((req, res) => void respond(req, res)).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  report({ port, key, pageId }, async () => {
    server.close()
    await pool.end()
  })
})
