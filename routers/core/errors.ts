/** One kind of failure, as every door reports it. */
interface ErrorKind {
  /** The HTTP status that goes with it. */
  status: number
  /** Short and fixed; details of one request go into `detail`. */
  title: string
  /** For the reference: when it happens and what to do. */
  explanation: string
}

/**
 * Every failure a caller can meet. The statuses and codes of the first two groups are the contract's
 * (document 1, "Errors"); the last group belongs to the screen's own procedures.
 */
export const errors = {
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    explanation:
      'The request needs a body in JSON and had none, or one that cannot be parsed. Check for truncation, trailing commas and encodings other than UTF-8.',
  },
  unauthorized: {
    status: 401,
    title: 'No valid credential',
    explanation:
      'The `Authorization: Bearer …` header is missing or malformed, or its key or token is unknown or revoked. Which of these it was is not told. Issue a new one in the admin screen.',
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
      'The key or token is valid but was issued without the scope this operation needs. Scopes cannot be added later: issue a new one.',
  },
  not_found: {
    status: 404,
    title: 'No such endpoint',
    explanation: 'No operation has this path. Paths have no trailing slash, and they begin with `/v1`.',
  },
  page_not_found: {
    status: 404,
    title: 'No such page',
    explanation:
      'The space has no page with this id. Ids stay when a slug changes; list the pages to find them.',
  },
  part_not_found: {
    status: 404,
    title: 'No such part',
    explanation:
      'The space has no part with this id. Ids stay when a name changes; list the parts to find them.',
  },
  file_not_found: {
    status: 404,
    title: 'No such file',
    explanation:
      'The space has no file with this id. Ids stay when a name or content changes; list the files to find them.',
  },
  data_not_found: {
    status: 404,
    title: 'No such record',
    explanation:
      'The space has no data record with this key. A write that names a `version` needs the record to be there already; leave `version` out to create it.',
  },
  post_not_found: {
    status: 404,
    title: 'No such post',
    explanation:
      "There is no post with this id that you may see: it never was, was deleted, or is somebody else's draft. Only your own posts can be replaced and deleted.",
  },
  comment_not_found: {
    status: 404,
    title: 'No such comment',
    explanation:
      'You have written no comment with this id. Only your own comments can be replaced and deleted.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed here',
    explanation: 'The path exists but takes other methods; the `Allow` header lists them.',
  },
  slug_taken: {
    status: 409,
    title: 'The slug is taken',
    explanation:
      'Another page of the space already has this slug. That page is unchanged. Choose another slug, or change that page instead.',
  },
  handle_taken: {
    status: 409,
    title: 'The handle is taken',
    explanation:
      'Another account has this handle; letter case makes no difference. Nothing was changed. Choose another one.',
  },
  version_conflict: {
    status: 409,
    title: 'The record has changed',
    explanation:
      'The `version` sent is not the current one, so somebody else wrote in between. Nothing was written. Read the record again, apply your change to it, and send its version.',
  },
  part_name_taken: {
    status: 409,
    title: 'The part name is taken',
    explanation:
      'Another part of the space already has this name. Choose another name, or change that part instead.',
  },
  parts_quota_exceeded: {
    status: 409,
    title: 'The parts are too large together',
    explanation:
      'With this write the bodies of all parts would exceed their total. Shorten or delete a part first.',
  },
  data_quota_exceeded: {
    status: 409,
    title: 'The data store is full',
    explanation:
      'With this write the space would hold too many records or too many bytes of data. Delete or shrink records first.',
  },
  storage_quota_exceeded: {
    status: 409,
    title: 'The file storage is full',
    explanation: "With this write the space's files would exceed their quota. Delete files first.",
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    explanation: 'The request body has more bytes than the operation accepts.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    explanation:
      'Send `Content-Type: application/json`; the only charset is UTF-8, and bodies are not compressed.',
  },
  validation_failed: {
    status: 422,
    title: 'The input breaks a rule',
    explanation:
      'At least one field is wrong, missing or unknown. `errors` lists every reason with its field; `$` stands for the body as a whole.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many calls',
    explanation:
      'The credential has used up its calls of this minute, or, now and then, more templates are waiting to be read than the service can work on. `detail` tells which. Wait for the seconds in `Retry-After`; refused calls do not count.',
  },
  internal_error: {
    status: 500,
    title: 'Something broke on our side',
    explanation:
      'Our fault, not yours. `detail` carries a reference number: quote it to the operator, whose log has the cause under it.',
  },
  unavailable: {
    status: 503,
    title: 'The service is unavailable',
    explanation:
      'The service cannot answer at the moment: its database is away, its disk is full, or too much is waiting. Nothing was written. Retry after the seconds in `Retry-After`.',
  },
  limit_reached: {
    status: 409,
    title: 'The limit is reached',
    explanation:
      'There can be no more things of this kind; `detail` names the limit. Nothing was written. Delete what is no longer needed first.',
  },

  space_not_found: {
    status: 404,
    title: 'No such space',
    explanation: 'There is no such space, or you are not one of its participants.',
  },
  key_not_found: {
    status: 404,
    title: 'No such key',
    explanation: 'The space has no such key any more.',
  },
  token_not_found: {
    status: 404,
    title: 'No such token',
    explanation: 'You have no such token any more.',
  },
  key_ended: {
    status: 409,
    title: 'The key has ended',
    explanation: 'It has expired, or another key has taken its place already. Issue a new one.',
  },
  token_ended: {
    status: 409,
    title: 'The token has ended',
    explanation: 'It has expired, or another token has taken its place already. Issue a new one.',
  },
  too_many_keys: {
    status: 409,
    title: 'There are too many keys',
    explanation: 'The space has as many keys as it can have. Revoke one that nothing uses any more first.',
  },
  too_many_tokens: {
    status: 409,
    title: 'There are too many tokens',
    explanation:
      'The account has as many tokens and connected clients as it can have. Revoke one that nothing uses any more first.',
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
      'It was changed after you had opened it, in another window or with a token. Nothing was written. Look at both versions and decide.',
  },
  operators_only: {
    status: 403,
    title: 'For operators only',
    explanation: 'Only accounts that the configuration of the service names as operators may do this.',
  },
  already_reported: {
    status: 409,
    title: 'You have reported this post already',
    explanation: 'One report of a post by the same person is enough. It is not forgotten.',
  },
  invite_not_found: {
    status: 404,
    title: 'This invitation does not open',
    explanation: 'The link was used, has expired, or was withdrawn. Ask for a new one.',
  },
  too_many_invites: {
    status: 409,
    title: 'There are too many open invitations',
    explanation: 'Withdraw one that nobody is going to use first, or wait until one is used or expires.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request came from another site',
    explanation: 'What a session may do is done from the admin screen only.',
  },
  sign_in_required: {
    status: 401,
    title: 'Sign in first',
    explanation: 'There is no session, or it has ended.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Sign-in failed',
    explanation:
      'Handle and password or recovery code do not match, the passkey is not known here, or the link was used or has expired.',
  },
  sign_up_closed: {
    status: 403,
    title: 'Accounts are made by invitation here',
    explanation: 'Ask somebody who runs a space to invite you, and open the link they send you.',
  },
  link_not_found: {
    status: 404,
    title: 'This link does not open',
    explanation: 'It was used, has expired, or a newer one has taken its place. Ask for a new one.',
  },
  confirmation_required: {
    status: 403,
    title: 'Confirm that it is you',
    explanation:
      'Ways into an account are changed only within ten minutes of signing in, or of having confirmed with the password or a passkey.',
  },
  session_not_found: {
    status: 404,
    title: 'No such session',
    explanation: 'You have no such session any more: it was ended, or it has expired.',
  },
  passkey_not_found: {
    status: 404,
    title: 'No such passkey',
    explanation: 'You have no such passkey any more.',
  },
  passkey_refused: {
    status: 403,
    title: 'The passkey was not accepted',
    explanation:
      'What the browser sent does not answer the question it was asked, or it took more than five minutes. Try again.',
  },
  passkey_registered: {
    status: 409,
    title: 'This passkey is registered already',
    explanation: 'The authenticator has a passkey for this service, which is in use.',
  },
  too_many_passkeys: {
    status: 409,
    title: 'There are too many passkeys',
    explanation: 'Delete one that you no longer use first.',
  },
  passkeys_unavailable: {
    status: 409,
    title: 'There are no passkeys here',
    explanation:
      'Browsers make passkeys only for a host with a name, reached over https or on the same machine. The address of this service is not like that.',
  },
  subdomain_taken: {
    status: 409,
    title: 'The subdomain is taken',
    explanation: 'Another space already has this subdomain. Choose another one.',
  },
  data_key_taken: {
    status: 409,
    title: 'The key is taken',
    explanation:
      'The space has a record with this key already, which is unchanged. Choose another key, or change that record instead.',
  },
  already_participant: {
    status: 409,
    title: 'You are already a participant',
    explanation: 'The invitation is for somebody who does not take part in the space yet.',
  },
  last_participant: {
    status: 409,
    title: 'You are the last participant',
    explanation:
      'A space needs at least one participant. Invite somebody else before leaving, or delete the space.',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errors
