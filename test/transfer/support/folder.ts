import type { ProblemBody } from '../../../routers/api/problem.ts'
import type { ChangedItems } from '../../../routers/content/transfer/change-items.ts'
import type { ListedItem, Listing } from '../../../routers/content/transfer/listing.ts'
import type { TestService } from '../../support/test-service.ts'
import { pack, unpack } from './archives.ts'

/** What a change writes: the content of a path, or null to delete it. */
export type Contents = Record<string, string | Buffer | null>

/** The versions that a change names, by path. */
export type Bases = Record<string, string | null>

/** Calls `/transfer/{subdomain}/items` with a key, as a program does that keeps a space in a folder. */
export const folderOf = (service: TestService, subdomain: string, key?: string) => {
  const send = (method: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${service.root}/transfer/${subdomain}/items`, {
      method,
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      body: body instanceof Buffer ? new Uint8Array(body) : (body ?? null),
    })
  const list = async () => (await (await send('GET')).json()) as Listing
  const versions = async (): Promise<Bases> =>
    Object.fromEntries((await list()).items.map(({ path, version }) => [path, version]))
  const read = async (...paths: string[]) => {
    const response = await send('POST', JSON.stringify({ paths }), { 'content-type': 'application/json' })
    const files = await unpack(Buffer.from(await response.arrayBuffer()))
    return Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()]))
  }
  /** @param more further fields of the manifest */
  const change = async (contents: Contents, changes: Bases, more: object = {}) => {
    const manifest = { format: 'space-site-space', version: 1, ...more, changes }
    const files = Object.entries(contents).flatMap(([path, content]) =>
      content === null ? [] : [{ path, content }],
    )
    const response = await send(
      'PATCH',
      await pack(...files, { path: 'manifest.json', content: JSON.stringify(manifest) }),
    )
    const body = (await response.json()) as Partial<ChangedItems & ProblemBody>
    return { status: response.status, body }
  }
  return { send, list, versions, read, change }
}

/** The paths of listed items. */
export const pathsOf = (items: readonly ListedItem[]): string[] => items.map(({ path }) => path)
