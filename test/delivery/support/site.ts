import { browse, type Delivered } from '../../support/browse.ts'
import type { TestSpace, World } from '../../support/world.ts'

interface Made {
  id: string
  url: string
}

/** A site that tests fill through the API and open as visitors do. */
export interface TestSite {
  space: TestSpace
  /** Stores a page. */
  page(slug: string, html: string, kind?: 'scripted' | 'static'): Promise<Made>
  part(name: string, html: string): Promise<Made>
  data(key: string, value: unknown): Promise<void>
  /** Stores a file of text, or of bytes. */
  file(name: string, content: string | Buffer): Promise<Made>
  /** Asks the site for a path. */
  open(path: string, options?: Parameters<typeof browse>[3]): Promise<Delivered>
  /** Asks the origin of a page for a path. */
  openOrigin(page: Made, path?: string, options?: Parameters<typeof browse>[3]): Promise<Delivered>
  openFile(file: Made, options?: Parameters<typeof browse>[3]): Promise<Delivered>
}

/** A new space with the site that belongs to it. */
export const newSite = async (world: World): Promise<TestSite> => {
  const space = await world.space()
  const make = async (path: string, fields: object): Promise<Made> => {
    const { status, body } = await space.api.post<Made>(path, fields)
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  return {
    space,
    page: (slug, html, kind = 'static') => make('/pages', { slug, html, kind }),
    part: (name, html) => make('/parts', { name, html }),
    data: async (key, value) => {
      const { status, body } = await space.api.put(`/data/${key}`, { value })
      if (status !== 200) throw new Error(`PUT data: ${status} ${JSON.stringify(body)}`)
    },
    file: (name, content) =>
      make('/files', {
        name,
        content: typeof content === 'string' ? content : content.toString('base64'),
        encoding: typeof content === 'string' ? 'text' : 'base64',
      }),
    open: (path, options) => browse(world, `${space.subdomain}.sites.localhost`, path, options),
    openOrigin: (page, path, options) => browse(world, `${page.id}.pages.localhost`, path, options),
    openFile: (file, options) => browse(world, `${file.id}.files.localhost`, '/', options),
  }
}
