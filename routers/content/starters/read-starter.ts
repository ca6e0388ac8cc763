import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Core } from '../../api/context.ts'
import type { Starter } from '../../api/rules.ts'
import { NewSettings } from '../pages/schema.ts'
import { MANIFEST, Manifest } from '../transfer/archive-format.ts'
import { type Archive, BodyReader } from '../transfer/read-archive.ts'

/** The starters: each folder is the unpacked archive of a space, except that its files need no ids. */
const folder = fileURLToPath(new URL('sites/', import.meta.url))

/** Lists the files in a folder of a starter, each with its path, and its name without the extension. */
const list = async (starter: Starter, part: string) => {
  const names = await readdir(path.join(folder, starter, part))
  return names.sort().map(file => ({
    file,
    name: path.parse(file).name,
    location: path.join(folder, starter, part, file),
  }))
}

const textOf = ({ location }: { location: string }) => readFile(location, 'utf8')

/**
 * Reads the content of a starter. Starters are part of the source and covered by tests, so their content is not
 * validated again.
 */
export const readStarter = async (core: Core, accountId: string, starter: Starter): Promise<Archive> => {
  const manifest = Manifest.parse(JSON.parse(await readFile(path.join(folder, starter, MANIFEST), 'utf8')))
  const [pages, parts, records, files] = await Promise.all(
    (['pages', 'parts', 'data', 'files'] as const).map(part => list(starter, part)),
  )
  const { filesDomain } = core.addresses
  const reader = new BodyReader({ core, accountId }, filesDomain)
  return {
    name: undefined,
    icon: undefined,
    changes: undefined,
    filesDomain,
    pages: await Promise.all(
      pages!.map(async page => {
        const html = (await textOf(page)).trim()
        const body = await reader.body(html, async () => html)
        return {
          slug: page.name,
          ...NewSettings.parse({ kind: 'static', ...manifest.pages[page.name] }),
          body,
        }
      }),
    ),
    parts: await Promise.all(
      parts!.map(async part => ({
        name: part.name,
        ...(await reader.template((await textOf(part)).trim())),
      })),
    ),
    records: await Promise.all(
      records!.map(async record => ({
        key: record.name,
        value: JSON.stringify(JSON.parse(await textOf(record))),
        description: manifest.data[record.name]?.description ?? null,
      })),
    ),
    files: await Promise.all(
      files!.map(async ({ file, location }) => {
        const bytes = await readFile(location)
        const digest = createHash('sha256').update(bytes).digest()
        return {
          path: `files/${file}`,
          id: null,
          name: file,
          size: bytes.length,
          digest,
          read: async () => bytes,
        }
      }),
    ),
  }
}
