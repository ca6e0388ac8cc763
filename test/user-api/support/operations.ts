import { type Operation, operationsOf } from '../../../facades/operations.ts'
import type { UserScope } from '../../../routers/core/scopes.ts'
import { appRouter } from '../../../routers/index.ts'
import { testPng } from '../../support/png.ts'
import type { RestClient } from '../../support/rest-client.ts'

/** Every operation of the User API, as declared, with a title each for tables. */
export const table = operationsOf(appRouter)
  .filter(({ meta }) => meta.api === 'user')
  .map(operation => ({ title: `${operation.method} ${operation.path}`, operation }))

export const tableWithBody = table.filter(({ operation }) => operation.takesBody)
export const tableWithoutBody = table.filter(({ operation }) => !operation.takesBody)

/** The operations as the contract lists them: the scope that a token needs, and the status of success. */
export const documented: Record<string, { scope: UserScope | null; status: number; missing?: string }> = {
  'GET /me': { scope: null, status: 200 },
  'PATCH /me': { scope: 'profile', status: 200 },
  'PUT /me/icon': { scope: 'profile', status: 200 },
  'DELETE /me/icon': { scope: 'profile', status: 204 },
  'GET /posts': { scope: 'posts', status: 200 },
  'POST /posts': { scope: 'posts', status: 201 },
  'GET /posts/{post_id}': { scope: 'posts', status: 200, missing: 'post_not_found' },
  'PATCH /posts/{post_id}': { scope: 'posts', status: 200, missing: 'post_not_found' },
  'DELETE /posts/{post_id}': { scope: 'posts', status: 204, missing: 'post_not_found' },
  'GET /posts/{post_id}/comments': { scope: 'comments', status: 200, missing: 'post_not_found' },
  'POST /posts/{post_id}/comments': { scope: 'comments', status: 201, missing: 'post_not_found' },
  'PUT /posts/{post_id}/like': { scope: 'likes', status: 200, missing: 'post_not_found' },
  'DELETE /posts/{post_id}/like': { scope: 'likes', status: 204, missing: 'post_not_found' },
  'PATCH /comments/{comment_id}': { scope: 'comments', status: 200, missing: 'comment_not_found' },
  'DELETE /comments/{comment_id}': { scope: 'comments', status: 204, missing: 'comment_not_found' },
}

const png = await testPng({ width: 256, height: 256 })

const bodies: Record<string, Record<string, unknown>> = {
  'me.update': { bio: 'I grow beans.' },
  'me.setIcon': { png },
  'posts.create': { html: '<p>post</p>' },
  'posts.update': { html: '<p>changed</p>' },
  'comments.create': { body: 'comment' },
  'comments.update': { body: 'changed' },
}

/** A body that the operation accepts; empty where it takes none. */
export const bodyOf = ({ name }: Operation): Record<string, unknown> => bodies[name] ?? {}

/** What paths are filled with. */
export type PathValues = Record<string, string>

/** Publishes a post with a comment, and returns what leads to them. */
export const furnish = async (api: RestClient): Promise<PathValues> => {
  const post = await api.post<{ id: string }>('/posts', { html: 'post' })
  const comment = await api.post<{ id: string }>(`/posts/${post.body.id}/comments`, { body: 'comment' })
  return { post_id: post.body.id, comment_id: comment.body.id }
}

/** Ids that nothing has. */
export const nothing = { post_id: 'a'.repeat(16), comment_id: 'a'.repeat(16) }

export const pathOf = ({ path }: Operation, values: PathValues): string =>
  `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}`
