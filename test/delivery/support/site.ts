import { type HostResponse, requestHost } from '../../support/request-host.ts'
import type { Person, TestService, TestSpace } from '../../support/test-service.ts'

interface Created {
  id: string
  url: string
}

/** A site that tests fill through the API and open like visitors. */
export interface TestSite {
  space: TestSpace
  /** Creates a page. */
  page(slug: string, html: string, kind?: 'scripted' | 'static'): Promise<Created>
  part(name: string, html: string): Promise<Created>
  data(key: string, value: unknown): Promise<void>
  /** Creates a file from text or bytes. */
  file(name: string, content: string | Buffer): Promise<Created>
  /** Requests a path of the site. */
  open(path: string, options?: Parameters<typeof requestHost>[3]): Promise<HostResponse>
  /** Requests a path of a page's origin. */
  openOrigin(page: Created, path?: string, options?: Parameters<typeof requestHost>[3]): Promise<HostResponse>
  openFile(file: Created, options?: Parameters<typeof requestHost>[3]): Promise<HostResponse>
}

/** Creates a space with its site. @param owner by default a new person */
export const newSite = async (service: TestService, owner?: Person): Promise<TestSite> => {
  const space = await service.createSpace(undefined, owner)
  const create = async (path: string, fields: object): Promise<Created> => {
    const { status, body } = await space.api.post<Created>(path, fields)
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  return {
    space,
    page: (slug, html, kind = 'static') => create('/pages', { slug, html, kind }),
    part: (name, html) => create('/parts', { name, html }),
    data: async (key, value) => {
      const { status, body } = await space.api.put(`/data/${key}`, { value })
      if (status !== 200) throw new Error(`PUT data: ${status} ${JSON.stringify(body)}`)
    },
    file: (name, content) =>
      create('/files', {
        name,
        content: typeof content === 'string' ? content : content.toString('base64'),
        encoding: typeof content === 'string' ? 'text' : 'base64',
      }),
    open: (path, options) => requestHost(service, `${space.subdomain}.sites.localhost`, path, options),
    openOrigin: (page, path, options) => requestHost(service, `${page.id}.pages.localhost`, path, options),
    openFile: (file, options) => requestHost(service, `${file.id}.files.localhost`, '/', options),
  }
}
