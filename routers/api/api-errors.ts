/**
 * Errors of the APIs, the tool servers and upload links. The first group has the errors of the contract and three
 * additions: `unavailable`, `limit_reached` and `precondition_failed`.
 */
export const apiErrors = {
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    explanation:
      'The request needs a JSON body, but the body is empty or cannot be parsed. Check for truncation, trailing commas and encodings other than UTF-8. A request that is not valid HTTP gets this code too; `detail` says what is wrong.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid credential',
    explanation:
      'The `Authorization: Bearer …` header is missing or malformed, or its key or token is unknown, expired, rotated or revoked. The response does not say which. Create a new key or token in the dashboard.',
  },
  space_mismatch: {
    status: 403,
    title: 'The key belongs to another space',
    explanation:
      'The key was issued for a different space from the one in the path. Use the `subdomain` that belongs to the key.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The credential lacks the scope',
    explanation:
      'The key or token is valid but was issued without the scope this operation needs. Scopes cannot be added later: create a new key or token. A token of a suspended account also gets this code when it tries something that suspended accounts cannot do; `detail` then gives the reason.',
  },
  not_found: {
    status: 404,
    title: 'No such endpoint',
    explanation: 'No operation has this path. Paths begin with `/v1` and have no trailing slash.',
  },
  page_not_found: {
    status: 404,
    title: 'No such page',
    explanation:
      'The space has no page with this id. List the pages to find ids; they do not change with the slug.',
  },
  part_not_found: {
    status: 404,
    title: 'No such part',
    explanation:
      'The space has no part with this id. List the parts to find ids; they do not change with the name.',
  },
  file_not_found: {
    status: 404,
    title: 'No such file',
    explanation:
      'The space has no file with this id. List the files to find ids. A new name or content does not change the id.',
  },
  data_not_found: {
    status: 404,
    title: 'No such record',
    explanation:
      'The space has no data record with this key. A write with a `version` needs an existing record; omit `version` to create one.',
  },
  post_not_found: {
    status: 404,
    title: 'No such post',
    explanation:
      "There is no post with this id, or it is another person's draft. You can replace and delete only your own posts.",
  },
  comment_not_found: {
    status: 404,
    title: 'No such comment',
    explanation: 'You have no comment with this id. You can replace and delete only your own comments.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed here',
    explanation:
      'The path exists but does not support this method. The `Allow` header lists the methods it supports.',
  },
  slug_taken: {
    status: 409,
    title: 'The slug is taken',
    explanation:
      'Another page of the space has this slug. Nothing was written. Choose another slug, or update that page instead.',
  },
  handle_taken: {
    status: 409,
    title: 'The handle is taken',
    explanation:
      'Another account has this handle, ignoring case. Nothing was changed. Choose another handle.',
  },
  version_conflict: {
    status: 409,
    title: 'Changed in the meantime',
    explanation:
      'The `version` that you sent (of a record), or the `updated_at` (of a page, part or file, in tools), is not the current one, because the item was written in the meantime. Nothing was written. Read the item again, apply your change, and send the new version.',
  },
  part_name_taken: {
    status: 409,
    title: 'The part name is taken',
    explanation:
      'Another part of the space has this name. Nothing was written. Choose another name, or update that part instead.',
  },
  parts_quota_exceeded: {
    status: 409,
    title: 'The parts are too large together',
    explanation:
      'This write would exceed the limit on the total size of all parts. Shorten or delete parts first.',
  },
  data_quota_exceeded: {
    status: 409,
    title: 'The data store is full',
    explanation:
      'This write would exceed the limit on the number or total size of records. Delete or shrink records first.',
  },
  storage_quota_exceeded: {
    status: 409,
    title: 'The file storage is full',
    explanation: 'This write would exceed the quota for the files of the space. Delete files first.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed since you read it',
    explanation:
      "The resource's current `ETag` does not match your `If-Match` header, or matches your `If-None-Match` header. Nothing was written. Read the resource again, apply your change, and send the new tag.",
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The same call is still running',
    explanation:
      'An earlier call with this `Idempotency-Key` has not been answered within 10 seconds. Send the same call again later: you then get the answer to the earlier one.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    explanation: 'The request body is larger than the operation accepts.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    explanation: 'Send `Content-Type: application/json`, in UTF-8 and without compression.',
  },
  validation_failed: {
    status: 422,
    title: 'The input breaks a rule',
    explanation:
      'At least one field is invalid, missing or unknown. `errors` lists every broken rule with its field; `$` is the whole body.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The key belongs to another request',
    explanation:
      'The `Idempotency-Key` was sent before with another body, path or precondition. Nothing was written. Use a new key for each new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many calls',
    explanation:
      'The caller has used up its calls or attempts; `detail` says how long to wait. Retry after the number of seconds in `Retry-After`. Refused calls do not count.',
  },
  internal_error: {
    status: 500,
    title: 'Something broke on our side',
    explanation:
      'The service failed; your request is not the cause. Give the operator the reference in `detail`; the cause is in the log under this reference.',
  },
  unavailable: {
    status: 503,
    title: 'The service is unavailable',
    explanation:
      'The service cannot answer at the moment: the database is down, the disk is full, or too many requests are waiting. A write may or may not have taken effect, so check before you repeat it. Retry after the number of seconds in `Retry-After`.',
  },
  limit_reached: {
    status: 409,
    title: 'The limit is reached',
    explanation:
      'The limit named in `detail` is reached. Nothing was written. First delete something you no longer need.',
  },

  change_not_found: {
    status: 404,
    title: 'No such change',
    explanation: 'The history of the space has no change with this id. Changes are kept for a limited time.',
  },
  upload_link_not_found: {
    status: 404,
    title: 'This upload link does not work',
    explanation:
      'The link is unknown, has expired, was used already, or was created with a key that has been revoked. Nothing was stored. Create another one with `create_upload_link`.',
  },
} as const satisfies Record<string, ErrorKind>

/** One kind of error, the same in every facade. */
export interface ErrorKind {
  /** The HTTP status. */
  status: number
  /** Short and fixed; details of a request go into `detail`. */
  title: string
  /** For the API reference: when the error happens and how to fix it. */
  explanation: string
}
