import { SPACE_SCOPES } from '../../../routers/api/scopes.ts'
import { testPng } from '../../support/png.ts'
import { pack } from '../../transfer/support/archives.ts'
import type { TestAccount } from './account.ts'
import type { Reply } from './http.ts'

/** Sends a write, and counts it if it is acknowledged. */
export type Send = (
  method: string,
  path: string,
  headers: object,
  body?: object | Buffer,
) => Promise<Pick<Reply, 'status' | 'text'>>

/** A space in which items are renamed, edited and restored, and another space into which archives are imported. */
export interface EditedSpaces {
  edited: string
  imported: string
  key: { authorization: string }
  page: string
  part: string
  file: string
  icons: string[]
}

/** Kinds of edits, each of which is acknowledged at least once before the first kill. */
export const EDITS = [
  'page',
  'part',
  'file',
  'record',
  'settings',
  'tool',
  'restore',
  'import',
  'undo',
] as const

type Edit = (typeof EDITS)[number]

/** The kinds of edits that the service has acknowledged, and the last acknowledged number in each edited body. */
export interface AcknowledgedEdits {
  kinds: Set<Edit>
  last: Map<'page' | 'part' | 'file', number>
}

/** Creates the spaces with the items that the edits need. */
export const prepareEdits = async (send: Send, account: TestAccount): Promise<EditedSpaces> => {
  const [edited, imported] = ['edited', 'imported']
  for (const subdomain of [edited, imported])
    await account.procedure('spaces.create', { subdomain, name: subdomain })
  const choice = { subdomain: edited, label: 'edits', scopes: SPACE_SCOPES, expires_in_days: null }
  const { secret } = await account.procedure<{ secret: string }>('keys.issue', choice)
  const key = { authorization: `Bearer ${secret}` }
  const create = async (path: string, body: object) => {
    const { text } = await send('POST', `/v1/spaces/${edited}${path}`, key, body)
    return (JSON.parse(text) as { id: string }).id
  }
  const icons = ['#123456', '#654321'].map(background => testPng({ width: 256, height: 256, background }))
  return {
    edited,
    imported,
    key,
    page: await create('/pages', { slug: 'page-0', html: '0' }),
    part: await create('/parts', { name: 'part-0', html: '0' }),
    file: await create('/files', { name: '0.txt', content: '0', encoding: 'text' }),
    icons: await Promise.all(icons),
  }
}

/** Number of items of each kind in an archive and in one `write_many` call. */
const MANY = 4

/** Packs an archive in which every item has the same marker. */
const archiveOf = (marker: number, icon: string): Promise<Buffer> => {
  const each = (path: (n: number) => string) =>
    Array.from({ length: MANY }, (_, n) => ({ path: path(n), content: String(marker) }))
  const manifest = {
    format: 'space-site-space',
    version: 1,
    space: { subdomain: 'x', name: String(marker), has_icon: true },
  }
  return pack(
    { path: 'manifest.json', content: JSON.stringify(manifest) },
    { path: 'icon.png', content: Buffer.from(icon, 'base64') },
    ...each(n => `pages/p-${n}.liquid`),
    ...each(n => `parts/p-${n}.liquid`),
    ...each(n => `data/r-${n}.json`),
    ...each(n => `files/f-${n}.txt`),
  )
}

/**
 * Returns functions that edit the spaces. Run these functions concurrently, and call each function repeatedly. Each
 * call of a function needs a higher `n` than the previous call of the same function.
 *
 * @param round must grow with each call of `editsOf`. Then the functions from a later call write higher numbers.
 */
export const editsOf = (
  send: Send,
  { cookie }: TestAccount,
  { edited, imported, key, page, part, file, icons }: EditedSpaces,
  acknowledged: AcknowledgedEdits,
  round: number,
): ((n: number) => Promise<unknown>)[] => {
  const space = `/v1/spaces/${edited}`
  const person = { cookie }
  const isDone = (kind: Edit, { status }: { status: number }) => {
    const done = status >= 200 && status < 300
    if (done) acknowledged.kinds.add(kind)
    return done
  }
  const procedure = (name: string, input: object) => send('POST', `/trpc/${name}`, person, input)
  const patch = async (kind: 'page' | 'part' | 'file', id: string, number: number, body: object) => {
    if (isDone(kind, await send('PATCH', `${space}/${kind}s/${id}`, key, body)))
      acknowledged.last.set(kind, number)
  }
  const markerOf = (n: number) => round * 1_000_000 + n
  const importArchive = async (marker: number): Promise<string | null> => {
    const archive = await archiveOf(marker, icons[marker % 2]!)
    const headers = { ...person, 'content-type': 'application/zip', 'content-length': archive.length }
    const preview = await send('POST', `/transfer/${imported}`, headers, archive)
    if (preview.status !== 200) return null
    const { plan } = JSON.parse(preview.text) as { plan: string }
    const reply = await send('POST', `/transfer/${imported}?plan=${plan}`, headers, archive)
    return isDone('import', reply) ? (JSON.parse(reply.text) as { operation: string }).operation : null
  }
  return [
    async n => {
      const number = markerOf(n)
      await patch('page', page, number, {
        slug: `page-${n}`,
        html: String(number),
        kind: n % 2 ? 'static' : 'scripted',
      })
      await patch('page', page, number, { slug: `renamed-${n}` })
    },
    async n => {
      const number = markerOf(n)
      await patch('part', part, number, { html: String(number) })
      await patch('part', part, number, { name: `renamed-${n}` })
    },
    async n => {
      const number = markerOf(n)
      await patch('file', file, number, { content: String(number), encoding: 'text' })
      await patch('file', file, number, { name: `renamed-${n}.txt` })
    },
    async n => {
      await send('PUT', `${space}/data/gone`, key, { value: n, description: `The ${n}th` })
      isDone('record', await send('DELETE', `${space}/data/gone`, key))
      const input = encodeURIComponent(JSON.stringify({ subdomain: edited, kind: 'record', thing: 'gone' }))
      const { status, text } = await send('GET', `/trpc/history.list?input=${input}`, person)
      if (status !== 200) return
      const { result } = JSON.parse(text) as { result: { data: { changes: { id: string }[] } } }
      const change_id = result.data.changes[0]!.id
      isDone('restore', await procedure('history.restore', { subdomain: edited, change_id, side: 'before' }))
    },
    async n => {
      await procedure('spaces.rename', { subdomain: edited, name: `Edited ${n}` })
      await procedure('spaces.setIcon', { subdomain: edited, png: icons[n % 2] })
      if (n % 3 === 0) isDone('settings', await procedure('spaces.removeIcon', { subdomain: edited }))
    },
    async n => {
      const marker = markerOf(n)
      const each = <Item>(item: (n: number) => Item) =>
        Array.from({ length: MANY }, (_, index) => item(index))
      const arguments_ = {
        pages: each(index => ({ slug: `many-${index}`, html: String(marker) })),
        parts: each(index => ({ name: `many-${index}`, html: String(marker) })),
        records: each(index => ({ key: `many-${index}`, value: marker })),
      }
      const reply = await send(
        'POST',
        '/mcp/studio',
        { ...key, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'write_many', arguments: arguments_ },
        },
      )
      if (!isDone('tool', reply)) return
      const { result } = JSON.parse(reply.text) as { result?: { isError?: boolean } }
      if (!result || result.isError) throw new Error(reply.text)
    },
    async n => {
      const operation = await importArchive(markerOf(n))
      if (operation !== null && n % 2 === 1)
        isDone('undo', await procedure('history.undo', { subdomain: imported, operation }))
    },
  ]
}

/** Counts, for each space, the items that one import or `write_many` call writes, and their distinct markers. */
export const MARKERS = `
  with bodies as (
    select space_id, slug as name, html as marker from pages
    union all select space_id, name, html from parts
    union all select space_id, key, value from data_records
    union all select space_id, name, convert_from(bytes, 'UTF8') from files join blobs using (space_id, digest)
      where name like 'f-%'
    union all select id, 'p-', name from spaces where subdomain = 'imported'
  )
  select subdomain, count(*)::int as count, count(distinct marker)::int as markers
  from bodies join spaces on spaces.id = space_id
  where subdomain = 'edited' and bodies.name like 'many-%' or subdomain = 'imported' and bodies.name ~ '^[prf]-'
  group by subdomain order by subdomain`

/** What {@link MARKERS} returns if nothing is half-written. */
export const WHOLE = [
  { subdomain: 'edited', count: 3 * MANY, markers: 1 },
  { subdomain: 'imported', count: 4 * MANY + 1, markers: 1 },
]
