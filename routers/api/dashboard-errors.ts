import type { ErrorKind } from './api-errors.ts'

/** Errors of procedures that only the dashboard uses. */
export const dashboardErrors = {
  space_not_found: {
    status: 404,
    title: 'No such space',
    explanation: 'The space does not exist, or you are not a participant.',
  },
  account_not_found: {
    status: 404,
    title: 'No such account',
    explanation: 'Nobody has this handle. The person may have changed it, or deleted the account.',
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
    explanation: "You can't rotate a key that has expired or was already rotated. Create a new one instead.",
  },
  token_ended: {
    status: 409,
    title: 'The token has expired or was rotated',
    explanation:
      "You can't rotate a token that has expired or was already rotated. Create a new one instead.",
  },
  too_many_keys: {
    status: 409,
    title: 'Too many keys',
    explanation: 'The space has reached its limit of keys. First revoke one you no longer use.',
  },
  too_many_tokens: {
    status: 409,
    title: 'Too many tokens',
    explanation:
      'The account has reached its limit of tokens and connected apps. First revoke one you no longer use.',
  },
  report_not_found: {
    status: 404,
    title: 'No such report',
    explanation: 'The report was dismissed, or the reported post or comment was deleted.',
  },
  item_exists: {
    status: 409,
    title: 'The item exists',
    explanation: 'Someone has restored the item or created it again. Delete it first.',
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
  owners_only: {
    status: 403,
    title: 'For owners only',
    explanation:
      'You are an editor of this space. Ask one of its owners to do this, or to make you an owner.',
  },
  participant_not_found: {
    status: 404,
    title: 'No such participant',
    explanation: 'The person has left the space, or was removed.',
  },
  account_suspended: {
    status: 403,
    title: 'Your account is suspended',
    explanation:
      'An operator has suspended your account. You can read, export and delete your own content, but not write anything that others see.',
  },
  not_suspended: {
    status: 409,
    title: 'The account is not suspended',
    explanation: 'Another operator has lifted the suspension.',
  },
  operator_account: {
    status: 403,
    title: 'Operators cannot be suspended',
    explanation: 'First remove the handle from the operators in the configuration.',
  },
  already_reported: {
    status: 409,
    title: 'You have already reported this',
    explanation: 'You can report a post or a comment once. Your report is still on file.',
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
      'The handle does not match the password or recovery code, the passkey is unknown, or the link was used or has expired.',
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
      'Confirm with your password, a passkey or a recovery code. You must have signed in or confirmed within the last ten minutes to change sign-in methods or the role of a participant, to create a key, token, webhook or invitation, or to remove a participant, a space or your account.',
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
    explanation: 'First delete a passkey that you no longer use.',
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
  domain_not_found: {
    status: 404,
    title: 'No such domain',
    explanation: 'The domain was removed, was dropped because nobody proved it, or belongs to another space.',
  },
  domain_taken: {
    status: 409,
    title: 'Another space has this domain',
    explanation:
      'Another space has proved that it owns this domain. Remove the domain there first, or remove its TXT record: then the other space loses it after a week.',
  },
  webhook_not_found: {
    status: 404,
    title: 'No such webhook',
    explanation:
      'The webhook was removed, or belongs to another space. Webhooks are removed with their space, and when the person who added them leaves it.',
  },
  webhook_untested: {
    status: 409,
    title: 'The webhook has not answered yet',
    explanation:
      'Changes are sent only to an address that has answered a test with a status from 200 to 299. Send a test first.',
  },
  delivery_not_found: {
    status: 404,
    title: 'No such delivery',
    explanation: 'The delivery is no longer kept, or belongs to another webhook.',
  },
  draft_not_found: {
    status: 404,
    title: 'No such draft',
    explanation:
      'The draft was saved or discarded, was deleted together with its item, or is no longer shared. Ask its author to share it again.',
  },
  preview_link_not_found: {
    status: 404,
    title: 'No such preview link',
    explanation: 'The link has expired or was revoked.',
  },
  schedule_not_found: {
    status: 404,
    title: 'Nothing is scheduled',
    explanation: 'It was carried out or cancelled in the meantime.',
  },
  already_scheduled: {
    status: 409,
    title: 'This is already scheduled',
    explanation: 'Cancel what is scheduled for this page first.',
  },
  space_changed: {
    status: 409,
    title: 'The space has changed',
    explanation:
      'Someone changed the space after you opened the preview of the import, rename or undo. Nothing was written. Open the preview again.',
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
  last_owner: {
    status: 409,
    title: 'You are the only owner',
    explanation:
      'A space needs at least one owner. First make another participant an owner, or delete the space.',
  },
  last_participant: {
    status: 409,
    title: 'You are the last participant',
    explanation:
      'A space needs at least one participant. Invite another person before you leave, or delete the space.',
  },
} as const satisfies Record<string, ErrorKind>
