import type { ErrorCode } from '../../routers/api/errors.ts'
import type { SpaceScope, UserScope } from '../../routers/api/scopes.ts'
import { testPng } from '../support/png.ts'
import { uniqueName } from '../support/test-service.ts'

/**
 * What the contract says about one operation. Written by hand, so that tests can compare the running service with the
 * contract.
 */
export interface Facts {
  /** Method and path below `/v1`. */
  route: string
  /** The credential needs one of these scopes; empty if any credential will do. */
  scopes: readonly (SpaceScope | UserScope)[]
  /** Status of a successful response. */
  status: 200 | 201 | 204
  /** Error codes, except those that every operation with a credential, scope or body can return. */
  errors: readonly ErrorCode[]
  /** Name of the operation's tool; null if it has none. */
  tool: string | null
  /** Hints of the tool that differ from the defaults in `hintsOf`. */
  hints?: Partial<ToolHints>
  /** Returns a request body that the operation accepts. Required if the operation takes a body. */
  body?: () => Record<string, unknown>
  /** Maximum size of the body in bytes, if it is not 1 MiB. */
  bodyLimit?: number
  /** Conditional headers that the operation accepts. Absent if its resource has no `ETag`. */
  conditional?: readonly ('If-Match' | 'If-None-Match')[]
  /** Set if the operation updates a resource, or creates it if it does not exist yet. */
  isUpsert?: true
}

/** What a tool's definition says about the effects of calling it. */
export interface ToolHints {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

const FILE_BODY_LIMIT = 14_680_064
const ICON_BODY_LIMIT = 1_399_128
const png = await testPng({ width: 256, height: 256 })

/** Every operation of both APIs, by its path in the router (`pages.create`). */
export const facts: Readonly<Record<string, Facts>> = {
  'space.get': {
    route: 'GET /spaces/{subdomain}',
    scopes: [],
    status: 200,
    errors: [],
    tool: 'get_space',
  },

  'pages.list': {
    route: 'GET /spaces/{subdomain}/pages',
    scopes: ['pages'],
    status: 200,
    errors: [],
    tool: 'list_pages',
  },
  'pages.create': {
    route: 'POST /spaces/{subdomain}/pages',
    scopes: ['pages'],
    status: 201,
    errors: ['slug_taken', 'limit_reached'],
    tool: 'create_page',
    body: () => ({ slug: uniqueName('page'), html: '<p>page</p>' }),
  },
  'pages.get': {
    route: 'GET /spaces/{subdomain}/pages/{page_id}',
    scopes: ['pages'],
    status: 200,
    errors: ['page_not_found'],
    conditional: ['If-None-Match'],
    tool: 'get_page',
  },
  'pages.update': {
    route: 'PATCH /spaces/{subdomain}/pages/{page_id}',
    scopes: ['pages'],
    status: 200,
    errors: ['page_not_found', 'slug_taken'],
    conditional: ['If-Match'],
    tool: 'update_page',
    body: () => ({ html: '<p>changed</p>' }),
  },
  'pages.delete': {
    route: 'DELETE /spaces/{subdomain}/pages/{page_id}',
    scopes: ['pages'],
    status: 204,
    errors: ['page_not_found'],
    conditional: ['If-Match'],
    tool: 'delete_page',
  },

  'parts.list': {
    route: 'GET /spaces/{subdomain}/parts',
    scopes: ['pages'],
    status: 200,
    errors: [],
    tool: 'list_parts',
  },
  'parts.create': {
    route: 'POST /spaces/{subdomain}/parts',
    scopes: ['pages'],
    status: 201,
    errors: ['part_name_taken', 'parts_quota_exceeded', 'limit_reached'],
    tool: 'create_part',
    body: () => ({ name: uniqueName('part'), html: '<p>part</p>' }),
  },
  'parts.get': {
    route: 'GET /spaces/{subdomain}/parts/{part_id}',
    scopes: ['pages'],
    status: 200,
    errors: ['part_not_found'],
    conditional: [],
    tool: 'get_part',
  },
  'parts.update': {
    route: 'PATCH /spaces/{subdomain}/parts/{part_id}',
    scopes: ['pages'],
    status: 200,
    errors: ['part_not_found', 'part_name_taken', 'parts_quota_exceeded'],
    conditional: ['If-Match'],
    tool: 'update_part',
    body: () => ({ html: '<p>changed</p>' }),
  },
  'parts.delete': {
    route: 'DELETE /spaces/{subdomain}/parts/{part_id}',
    scopes: ['pages'],
    status: 204,
    errors: ['part_not_found'],
    conditional: ['If-Match'],
    tool: 'delete_part',
  },

  'data.list': {
    route: 'GET /spaces/{subdomain}/data',
    scopes: ['data'],
    status: 200,
    errors: [],
    tool: 'list_data',
  },
  'data.get': {
    route: 'GET /spaces/{subdomain}/data/{key}',
    scopes: ['data'],
    status: 200,
    errors: ['data_not_found'],
    conditional: ['If-None-Match'],
    tool: 'get_data',
  },
  'data.put': {
    route: 'PUT /spaces/{subdomain}/data/{key}',
    scopes: ['data'],
    status: 200,
    errors: ['data_not_found', 'version_conflict', 'data_quota_exceeded'],
    conditional: ['If-Match', 'If-None-Match'],
    tool: 'put_data',
    // Not idempotent: each call raises the version.
    hints: { idempotentHint: false },
    body: () => ({ value: { count: 1 } }),
    isUpsert: true,
  },
  'data.delete': {
    route: 'DELETE /spaces/{subdomain}/data/{key}',
    scopes: ['data'],
    status: 204,
    errors: ['data_not_found'],
    conditional: ['If-Match'],
    tool: 'delete_data',
  },

  'files.list': {
    route: 'GET /spaces/{subdomain}/files',
    scopes: ['files', 'files_write'],
    status: 200,
    errors: [],
    tool: 'list_files',
  },
  'files.create': {
    route: 'POST /spaces/{subdomain}/files',
    scopes: ['files_write'],
    status: 201,
    errors: ['storage_quota_exceeded', 'limit_reached'],
    tool: 'upload_file',
    body: () => ({ name: 'note.txt', content: 'note', encoding: 'text' }),
    bodyLimit: FILE_BODY_LIMIT,
  },
  'files.get': {
    route: 'GET /spaces/{subdomain}/files/{file_id}',
    scopes: ['files', 'files_write'],
    status: 200,
    errors: ['file_not_found'],
    conditional: [],
    tool: 'get_file',
  },
  'files.update': {
    route: 'PATCH /spaces/{subdomain}/files/{file_id}',
    scopes: ['files_write'],
    status: 200,
    errors: ['file_not_found', 'storage_quota_exceeded'],
    conditional: ['If-Match'],
    tool: 'update_file',
    body: () => ({ name: 'renamed.txt' }),
    bodyLimit: FILE_BODY_LIMIT,
  },
  'files.delete': {
    route: 'DELETE /spaces/{subdomain}/files/{file_id}',
    scopes: ['files_write'],
    status: 204,
    errors: ['file_not_found'],
    conditional: ['If-Match'],
    tool: 'delete_file',
  },

  'me.get': { route: 'GET /me', scopes: [], status: 200, errors: [], conditional: [], tool: 'get_me' },
  'me.update': {
    route: 'PATCH /me',
    scopes: ['profile'],
    status: 200,
    errors: ['handle_taken'],
    conditional: ['If-Match'],
    tool: 'update_profile',
    body: () => ({ bio: 'I grow beans.' }),
  },
  'me.setIcon': {
    route: 'PUT /me/icon',
    scopes: ['profile'],
    status: 200,
    errors: [],
    conditional: ['If-Match'],
    tool: 'set_profile_icon',
    // Each call gives the icon a new address.
    hints: { idempotentHint: false },
    body: () => ({ png }),
    bodyLimit: ICON_BODY_LIMIT,
  },
  'me.removeIcon': {
    route: 'DELETE /me/icon',
    scopes: ['profile'],
    status: 204,
    errors: [],
    conditional: ['If-Match'],
    tool: 'remove_profile_icon',
  },

  'posts.list': {
    route: 'GET /posts',
    scopes: ['posts'],
    status: 200,
    errors: [],
    tool: 'list_my_posts',
  },
  'posts.create': {
    route: 'POST /posts',
    scopes: ['posts'],
    status: 201,
    errors: ['limit_reached'],
    tool: 'create_post',
    body: () => ({ html: '<p>post</p>' }),
  },
  'posts.get': {
    route: 'GET /posts/{post_id}',
    scopes: ['posts'],
    status: 200,
    errors: ['post_not_found'],
    conditional: [],
    tool: 'get_post',
    // Anyone can be the author, so the content is untrusted.
    hints: { openWorldHint: true },
  },
  'posts.update': {
    route: 'PATCH /posts/{post_id}',
    scopes: ['posts'],
    status: 200,
    errors: ['post_not_found'],
    conditional: ['If-Match'],
    tool: 'update_post',
    body: () => ({ html: '<p>changed</p>' }),
  },
  'posts.delete': {
    route: 'DELETE /posts/{post_id}',
    scopes: ['posts'],
    status: 204,
    errors: ['post_not_found'],
    conditional: ['If-Match'],
    tool: 'delete_post',
  },

  'comments.list': {
    route: 'GET /posts/{post_id}/comments',
    scopes: ['comments'],
    status: 200,
    errors: ['post_not_found', 'validation_failed'],
    tool: null,
  },
  'comments.create': {
    route: 'POST /posts/{post_id}/comments',
    scopes: ['comments'],
    status: 201,
    errors: ['post_not_found'],
    tool: null,
    body: () => ({ body: 'comment' }),
  },
  'comments.update': {
    route: 'PATCH /comments/{comment_id}',
    scopes: ['comments'],
    status: 200,
    errors: ['comment_not_found'],
    conditional: ['If-Match'],
    tool: null,
    body: () => ({ body: 'changed' }),
  },
  'comments.delete': {
    route: 'DELETE /comments/{comment_id}',
    scopes: ['comments'],
    status: 204,
    errors: ['comment_not_found'],
    conditional: ['If-Match'],
    tool: null,
  },

  'likes.add': {
    route: 'PUT /posts/{post_id}/like',
    scopes: ['likes'],
    status: 200,
    errors: ['post_not_found'],
    tool: null,
  },
  'likes.remove': {
    route: 'DELETE /posts/{post_id}/like',
    scopes: ['likes'],
    status: 204,
    errors: ['post_not_found'],
    tool: null,
  },
}

/**
 * Returns the expected hints of the operation's tool. By default, GET is read-only, POST is additive, and other
 * methods are destructive. `openWorldHint` is true for every write, because the public sees the result.
 */
export const hintsOf = ({ route, hints }: Facts): ToolHints => {
  const method = route.split(' ')[0]
  return {
    readOnlyHint: method === 'GET',
    destructiveHint: method !== 'GET' && method !== 'POST',
    idempotentHint: method !== 'POST',
    openWorldHint: method !== 'GET',
    ...hints,
  }
}
