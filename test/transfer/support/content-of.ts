import type { TestSpace } from '../../support/test-service.ts'

/** Returns everything in a space as REST returns it, except ids and other values that differ in a copy. */
export const contentOf = async ({ api }: TestSpace) => {
  const list = async (path: string) => (await api.get<{ data: { id: string }[] }>(path)).body.data
  const each = async (path: string) =>
    Promise.all((await list(path)).map(async ({ id }) => (await api.get(`${path}/${id}`)).body))
  const pages = (await each('/pages')).map(({ slug, kind, html }) => ({ slug, kind, html }))
  const parts = (await each('/parts')).map(({ name, html }) => ({ name, html }))
  const data = (await list('/data')).map(record => record as unknown as Record<string, unknown>)
  const files = (await list('/files')).map(file => file as unknown as Record<string, unknown>)
  return {
    pages,
    parts,
    data: data.map(({ key, value, description }) => ({ key, value, description })),
    files: files.map(({ name, size, content_type }) => ({ name, size, content_type })),
  }
}
