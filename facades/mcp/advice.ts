import type { ErrorCode } from '../../routers/api/errors.ts'
import type { Callable } from '../operations/list.ts'

/** What an agent should do after an error, for every error that a tool can return. */
export const advice: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'The key or token no longer works. Ask the person for a new one; retrying does not help.',
  insufficient_scope:
    'This key or token lacks that scope, and scopes cannot be added later. Tell the person which scope is needed. If detail says that the account is suspended, tell the person the reason; another token does not help.',
  rate_limited:
    'Wait for the number of seconds in the field detail, then repeat the call. Refused calls do not count.',
  validation_failed: 'Correct every field listed in errors, then call again.',
  payload_too_large: 'Send less in one call.',
  internal_error:
    'The service failed. Retry once. If it fails again, give the person the reference from the field detail.',
  unavailable: 'Wait for the number of seconds in the field detail, then repeat the call.',
  limit_reached: 'First delete what is no longer needed, with the consent of the person.',
  page_not_found: 'Call list_pages to get valid ids. A slug is not an id.',
  part_not_found: 'Call list_parts to get valid ids. A name is not an id.',
  file_not_found: 'Call list_files to get valid ids. A name is not an id.',
  data_not_found: 'Call list_data to get valid keys. To create the record, call put_data without version.',
  change_not_found: 'Call list_changes to get valid ids.',
  post_not_found:
    'Call list_my_posts to get the ids of your own posts. Published posts of others can be read but not changed.',
  slug_taken: 'To change that page, call update_page with its id; otherwise choose another slug.',
  part_name_taken: 'To change that part, call update_part with its id; otherwise choose another name.',
  handle_taken: 'Ask the person for another handle.',
  version_conflict:
    'Someone has changed the item since you read it. Read it again, apply your change to the new content, and call again with the new version or updated_at.',
  parts_quota_exceeded: 'First shorten or delete parts, with the consent of the person.',
  data_quota_exceeded: 'First shrink or delete records, with the consent of the person.',
  storage_quota_exceeded: 'First delete files that are not needed, with the consent of the person.',
}

/** Advice that differs if the caller is a connected app. */
const connectedAdvice: Partial<Record<ErrorCode, string>> = {
  insufficient_scope:
    'This connection lacks that permission. Ask the person to connect the app again and to allow it on the consent page.',
}

/** Advice for calls that only read. It names no tool that writes, because a server may offer no such tools. */
const readAdvice: Partial<Record<ErrorCode, string>> = {
  data_not_found: 'Call list_data to get valid keys.',
}

/** Errors that mean that nothing was written. The error's own text does not always say so. */
const UNCHANGED = new Set<ErrorCode>([
  'validation_failed',
  'payload_too_large',
  'slug_taken',
  'part_name_taken',
  'handle_taken',
  'version_conflict',
  'change_not_found',
  'parts_quota_exceeded',
  'data_quota_exceeded',
  'storage_quota_exceeded',
  'limit_reached',
])

/**
 * Returns the advice for an error. If a write failed with one of the `UNCHANGED` errors, the advice begins by saying
 * that nothing was written.
 *
 * @param isConnected whether the caller is an app that was connected through OAuth
 */
export const adviceFor = (
  { type }: Pick<Callable, 'type'>,
  code: ErrorCode,
  isConnected = false,
): string | undefined => {
  const text =
    (isConnected ? connectedAdvice[code] : undefined) ??
    (type === 'query' ? readAdvice[code] : undefined) ??
    advice[code]
  return text !== undefined && type === 'mutation' && UNCHANGED.has(code)
    ? `Nothing was written. ${text}`
    : text
}
