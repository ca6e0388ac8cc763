/** One kind of error, the same in every facade. */
interface ErrorKind {
  /** The HTTP status. */
  status: number
  /** Short and fixed; details of a request go into `detail`. */
  title: string
  /** For the API reference: when the error happens and how to fix it. */
  explanation: string
}

/**
 * Every error that callers can get. The first group has the contract's errors, and also `unavailable`,
 * `limit_reached` and `precondition_failed`. The second group belongs to procedures of the dashboard.
 */
export const errors = {
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
      'The `Authorization: Bearer …` header is missing or malformed, or its key or token is unknown, expired, rotated or revoked. The response does not say which. Create a new one in the dashboard.',
  },
  space_mismatch: {
    status: 403,
    title: 'The key belongs to another space',
    explanation:
      'The path names a space other than the one the key was issued for. Use the `subdomain` that belongs to the key.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The credential lacks the scope',
    explanation:
      'The key or token is valid but was issued without the scope this operation needs. Scopes cannot be added later: create a new one.',
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
      'The space has no file with this id. List the files to find ids; they do not change with name or content.',
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
    title: 'The record has changed',
    explanation:
      'The `version` you sent is not the current one, because the record was written in the meantime. Nothing was written. Read the record again, apply your change, and send the new version.',
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
      'The current `ETag` is not in the `If-Match` header, or is in `If-None-Match`. Nothing was written. Read the resource again, apply your change, and send the new tag.',
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
      'The service failed; your request is not the cause. Give the operator the reference number in `detail`: the log has the cause under it.',
  },
  unavailable: {
    status: 503,
    title: 'The service is unavailable',
    explanation:
      'The service cannot answer at the moment: the database is down, the disk is full, or too many requests are waiting. A write may or may not have taken effect, so read before you repeat it. Retry after the number of seconds in `Retry-After`.',
  },
  limit_reached: {
    status: 409,
    title: 'The limit is reached',
    explanation:
      'The limit named in `detail` is reached. Nothing was written. Delete something you no longer need first.',
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
  space_not_found: {
    status: 404,
    title: 'No such space',
    explanation: 'The space does not exist, or you are not a participant.',
  },
  key_not_found: {
    status: 404,
    title: 'No such key',
    explanation: 'The key was revoked, or it belongs to another space.',
  },
  token_not_found: {
    status: 404,
    title: 'No such token',
    explanation: 'The token was revoked, or it belongs to another account.',
  },
  key_ended: {
    status: 409,
    title: 'The key has expired or was rotated',
    explanation: 'Such a key cannot be rotated. Create a new one instead.',
  },
  token_ended: {
    status: 409,
    title: 'The token has expired or was rotated',
    explanation: 'Such a token cannot be rotated. Create a new one instead.',
  },
  too_many_keys: {
    status: 409,
    title: 'Too many keys',
    explanation: 'The space has reached its limit of keys. Revoke one you no longer use first.',
  },
  too_many_tokens: {
    status: 409,
    title: 'Too many tokens',
    explanation:
      'The account has reached its limit of tokens and connected apps. Revoke one you no longer use first.',
  },
  report_not_found: {
    status: 404,
    title: 'No such report',
    explanation: 'The report was dismissed, or its post was deleted.',
  },
  post_changed: {
    status: 409,
    title: 'The post has changed',
    explanation:
      'The post was changed in another window or with a token after you opened it. Nothing was written. Compare both versions.',
  },
  operators_only: {
    status: 403,
    title: 'For operators only',
    explanation: 'Only accounts that are configured as operators can do this.',
  },
  already_reported: {
    status: 409,
    title: 'You have already reported this post',
    explanation: 'You can report a post once. Your report is still on file.',
  },
  invite_not_found: {
    status: 404,
    title: 'This invitation no longer works',
    explanation: 'The link was used, has expired, or was revoked. Ask for a new one.',
  },
  too_many_invites: {
    status: 409,
    title: 'Too many open invitations',
    explanation: 'Revoke an invitation first, or wait until one is used or expires.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request came from another site',
    explanation: 'Sessions work only from the dashboard.',
  },
  sign_in_required: {
    status: 401,
    title: 'Sign in first',
    explanation: 'You are not signed in, or your session has ended.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Sign-in failed',
    explanation:
      'Handle and password or recovery code do not match, the passkey is unknown, or the link was used or has expired.',
  },
  sign_up_closed: {
    status: 403,
    title: 'You need an invitation to sign up',
    explanation: 'Ask a participant of a space to invite you, and open the link you receive.',
  },
  link_not_found: {
    status: 404,
    title: 'This link no longer works',
    explanation: 'The link was used, has expired, or was replaced by a newer one. Ask for a new one.',
  },
  confirmation_required: {
    status: 403,
    title: 'Confirm that it is you',
    explanation:
      'To change sign-in methods, to create a key or token that does not expire, or to delete a space or your account, you must have signed in, or confirmed with your password or a passkey, within the last ten minutes.',
  },
  session_not_found: {
    status: 404,
    title: 'No such session',
    explanation: 'The session was ended or has expired.',
  },
  passkey_not_found: {
    status: 404,
    title: 'No such passkey',
    explanation: 'The passkey was deleted.',
  },
  passkey_refused: {
    status: 403,
    title: 'The passkey was not accepted',
    explanation:
      "The browser's response does not match the challenge, or came after more than five minutes. Try again.",
  },
  passkey_registered: {
    status: 409,
    title: 'This passkey is already registered',
    explanation: 'The authenticator already has a passkey for this service.',
  },
  too_many_passkeys: {
    status: 409,
    title: 'Too many passkeys',
    explanation: 'Delete a passkey that you no longer use first.',
  },
  passkeys_unavailable: {
    status: 409,
    title: 'Passkeys are not available',
    explanation:
      'Browsers create passkeys only for host names over https, or on localhost. The address of this service is neither.',
  },
  subdomain_taken: {
    status: 409,
    title: 'The subdomain is taken',
    explanation: 'Another space has this subdomain. Choose another one.',
  },
  draft_not_found: {
    status: 404,
    title: 'No such draft',
    explanation:
      'The draft was saved or discarded, was deleted with what it edits, or is no longer shared. Ask its author to share it again.',
  },
  space_changed: {
    status: 409,
    title: 'The space has changed',
    explanation:
      'Someone changed the space after the preview of the import. Nothing was written. Look at the new preview first.',
  },
  data_key_taken: {
    status: 409,
    title: 'The key is taken',
    explanation:
      'The space already has a record with this key. Nothing was written. Choose another key, or change that record instead.',
  },
  already_participant: {
    status: 409,
    title: 'You are already a participant',
    explanation: 'The invitation is for people who are not participants of the space yet.',
  },
  last_participant: {
    status: 409,
    title: 'You are the last participant',
    explanation:
      'A space needs at least one participant. Invite another person before you leave, or delete the space.',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errors
