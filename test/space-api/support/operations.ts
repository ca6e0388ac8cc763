import { type Operation, operationsOf } from '../../../facades/operations.ts'
import type { SpaceScope } from '../../../routers/core/scopes.ts'
import { appRouter } from '../../../routers/index.ts'
import { type TestSpace, uniqueName } from '../../support/world.ts'

/** Every operation of the Space API, as declared. */
export const operations: Operation[] = operationsOf(appRouter).filter(({ meta }) => meta.api === 'space')

/** The operations with a title each, for tables. */
export const table = operations.map(operation => ({
  title: `${operation.method} ${operation.path}`,
  operation,
}))

export const tableWithBody = table.filter(({ operation }) => operation.takesBody)
export const tableWithoutBody = table.filter(({ operation }) => !operation.takesBody)

/** The operations as the contract lists them: scopes of which a key needs one, and the status of success. */
export const documented: Record<string, { scopes: SpaceScope[]; status: number }> = {
  'GET /spaces/{subdomain}': { scopes: [], status: 200 },
  'GET /spaces/{subdomain}/pages': { scopes: ['pages'], status: 200 },
  'POST /spaces/{subdomain}/pages': { scopes: ['pages'], status: 201 },
  'GET /spaces/{subdomain}/pages/{page_id}': { scopes: ['pages'], status: 200 },
  'PATCH /spaces/{subdomain}/pages/{page_id}': { scopes: ['pages'], status: 200 },
  'DELETE /spaces/{subdomain}/pages/{page_id}': { scopes: ['pages'], status: 204 },
  'GET /spaces/{subdomain}/parts': { scopes: ['pages'], status: 200 },
  'POST /spaces/{subdomain}/parts': { scopes: ['pages'], status: 201 },
  'GET /spaces/{subdomain}/parts/{part_id}': { scopes: ['pages'], status: 200 },
  'PATCH /spaces/{subdomain}/parts/{part_id}': { scopes: ['pages'], status: 200 },
  'DELETE /spaces/{subdomain}/parts/{part_id}': { scopes: ['pages'], status: 204 },
  'GET /spaces/{subdomain}/data': { scopes: ['data'], status: 200 },
  'GET /spaces/{subdomain}/data/{key}': { scopes: ['data'], status: 200 },
  'PUT /spaces/{subdomain}/data/{key}': { scopes: ['data'], status: 200 },
  'DELETE /spaces/{subdomain}/data/{key}': { scopes: ['data'], status: 204 },
  'GET /spaces/{subdomain}/files': { scopes: ['files', 'files_write'], status: 200 },
  'POST /spaces/{subdomain}/files': { scopes: ['files_write'], status: 201 },
  'GET /spaces/{subdomain}/files/{file_id}': { scopes: ['files', 'files_write'], status: 200 },
  'PATCH /spaces/{subdomain}/files/{file_id}': { scopes: ['files_write'], status: 200 },
  'DELETE /spaces/{subdomain}/files/{file_id}': { scopes: ['files_write'], status: 204 },
}

/** A body that the operation accepts; empty where it takes none. */
export const bodyOf = ({ name }: Operation): Record<string, unknown> => {
  const bodies: Record<string, Record<string, unknown>> = {
    'pages.create': { slug: uniqueName('page'), html: '<p>page</p>' },
    'pages.update': { html: '<p>changed</p>' },
    'parts.create': { name: uniqueName('part'), html: '<p>part</p>' },
    'parts.update': { html: '<p>changed</p>' },
    'data.put': { value: { count: 1 } },
    'files.create': { name: 'note.txt', content: 'note', encoding: 'text' },
    'files.update': { name: 'renamed.txt' },
  }
  return bodies[name] ?? {}
}

/** What paths are filled with. */
export type PathValues = Record<string, string>

/** Makes one page, part, record and file, and returns what leads to them. */
export const furnish = async (space: TestSpace): Promise<PathValues> => {
  const { api, subdomain } = space
  const key = uniqueName('record')
  const [page, part, file] = await Promise.all([
    api.post<{ id: string }>('/pages', { slug: uniqueName('page'), html: 'page' }),
    api.post<{ id: string }>('/parts', { name: uniqueName('part'), html: 'part' }),
    api.post<{ id: string }>('/files', { name: 'file.txt', content: 'file', encoding: 'text' }),
    api.put(`/data/${key}`, { value: 1 }),
  ])
  return { subdomain, page_id: page.body.id, part_id: part.body.id, file_id: file.body.id, key }
}

/** Something that no space has, for every parameter but the space's own. */
export const nothing = {
  page_id: 'a'.repeat(16),
  part_id: 'a'.repeat(16),
  file_id: 'a'.repeat(16),
  key: 'none',
}

export const pathOf = ({ path }: Operation, values: PathValues): string =>
  `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}`
