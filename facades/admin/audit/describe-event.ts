import { limits } from '../../../routers/api/rules.ts'
import type { Outputs } from '../api.ts'
import { counted } from '../ui/numbers.ts'

export type AuditEvent = Outputs['audit']['ofSpace']['events'][number]

const METHODS: Record<NonNullable<AuditEvent['method']>, string> = {
  password: 'with the password',
  passkey: 'with a passkey',
  link: 'with a one-time link',
  recovery_code: 'with a recovery code',
  new_account: 'after creating the account',
  confirmation: 'when confirming a change',
}

/** Names an item: "page about-us", "space icon", "post". */
const nameOf = ({ kind, name }: NonNullable<AuditEvent['item']>) =>
  [kind, name].filter(word => word !== null).join(' ')

const itemsOf = (items: number | null) => (items === null ? '' : `: ${counted(items, 'item')}`)

const RESTORED: Record<NonNullable<AuditEvent['cause']>, (event: AuditEvent) => string> = {
  restore: ({ item }) => `Earlier version restored${item === null ? '' : `: ${nameOf(item)}`}`,
  undo: ({ items }) => `Changes undone${itemsOf(items)}`,
  import: ({ items }) => `Archive imported${itemsOf(items)}`,
}

const REFUSED: Record<string, string> = {
  insufficient_scope: 'Refused: permission missing',
  space_mismatch: 'Refused: key of another space',
  operators_only: 'Refused: for operators only',
  owners_only: 'Refused: for owners only',
  limit_reached: 'Refused: limit reached',
  parts_quota_exceeded: 'Refused: quota of parts reached',
  data_quota_exceeded: 'Refused: quota of data reached',
  storage_quota_exceeded: 'Refused: storage quota reached',
  too_many_keys: 'Refused: too many keys',
  too_many_tokens: 'Refused: too many tokens',
  too_many_invites: 'Refused: too many invitations',
  too_many_passkeys: 'Refused: too many passkeys',
  rate_limited: 'Refused: too many calls',
}

const about = (what: string, { label }: AuditEvent) => (label === null ? what : `${what}: ${label}`)

const TITLES: Record<AuditEvent['kind'], (event: AuditEvent) => string> = {
  signed_in: ({ method }) => `Signed in${method ? ` ${METHODS[method]}` : ''}`,
  sign_in_failed: ({ method, code }) => {
    if (method === 'confirmation') return 'Wrong password when confirming a change'
    const title = `Sign-in failed${method ? ` ${METHODS[method]}` : ''}`
    return code === 'rate_limited' ? `${title}: too many attempts` : title
  },
  key_issued: event => about('Key issued', event),
  key_rotated: event => about('Key rotated', event),
  key_revoked: event => about('Key revoked', event),
  token_issued: event => about('Token issued', event),
  token_rotated: event => about('Token rotated', event),
  token_revoked: event => about('Token revoked', event),
  participant_joined: ({ role }) => `Participant joined${role === 'editor' ? ' as an editor' : ''}`,
  participant_left: () => 'Participant left',
  participant_removed: event => about('Participant removed', event),
  role_changed: event => about(event.role === 'owner' ? 'Made an owner' : 'Made an editor', event),
  exported: () => 'Space exported',
  restored: event => RESTORED[event.cause ?? 'restore'](event),
  erased: ({ item }) => `Deleted permanently${item === null ? '' : `: ${nameOf(item)}`}`,
  domain_added: event => about('Domain added', event),
  domain_removed: event => about('Domain removed', event),
  domain_verified: event => about('Domain verified', event),
  domain_switched_off: event => about('Domain switched off', event),
  main_domain_changed: event => about('Main address chosen', event),
  webhook_added: event => about('Webhook added', event),
  webhook_removed: event => about('Webhook removed', event),
  webhook_secret_rotated: event => about('Secret of a webhook rotated', event),
  webhook_switched_off: event => about('Webhook switched off', event),
  webhook_switched_on: event => about('Webhook switched on', event),
  account_suspended: event => about('Account suspended', event),
  suspension_lifted: event => about('Suspension lifted', event),
  refused: ({ code }) => REFUSED[code ?? ''] ?? 'Call refused',
}

const REASONS: Record<NonNullable<AuditEvent['reason']>, string> = {
  app: 'Disconnected by the app itself',
  unused: 'Not used for too long',
  code_reused: 'The code that connected the app was used twice, so someone may have copied it',
  refresh_reused: 'An old refresh token was used, so someone may have copied it',
  password_changed: 'Revoked when the password was changed',
  issuer_left: 'Ended because the person who created it is no longer a participant',
  unproved: 'Dropped because nobody proved it',
  gone: 'The address answered that it is gone (410)',
  failing: `The address did not accept anything for ${limits.webhookRetries.days} days`,
}

/** Returns why a key or token ended, a domain was removed or a webhook switched off; null if a person did it. */
export const reasonOf = ({ kind, reason, role }: AuditEvent): string | null => {
  if (role === 'editor' && (kind === 'key_revoked' || kind === 'webhook_removed'))
    return 'Ended because the person who created it became an editor'
  return reason && REASONS[reason]
}

/** Returns what happened, such as "Key issued: deploy". */
export const titleOf = (event: AuditEvent): string => TITLES[event.kind](event)

/** Returns who caused an event: a person, or a key or token of a person. */
export const actorOf = ({
  kind,
  handle,
  is_anonymous: isAnonymous,
  actor_label: label,
}: AuditEvent): string => {
  if (isAnonymous && (kind === 'account_suspended' || kind === 'suspension_lifted')) return 'an operator'
  if (isAnonymous && (kind.startsWith('domain_') || kind.startsWith('webhook_'))) return 'the service'
  if (isAnonymous) return 'someone who was not signed in'
  const person = handle ?? 'a former participant'
  return label === null ? person : `${label} (${person})`
}
