import type { ErrorCode } from '../../routers/core/errors.ts'
import type { Operation } from '../operations/list.ts'

/** What an agent should do after an error, for every error that a tool can return. */
export const advice: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'The key or token no longer works. Ask the person for a new one; retrying does not help.',
  insufficient_scope:
    'This key or token lacks that scope, and scopes cannot be added later. Tell the person which scope is needed.',
  rate_limited: 'Wait that long, then repeat the call. Refused calls do not count.',
  validation_failed: 'Correct every field listed in errors, then call again.',
  payload_too_large: 'Send less in one call.',
  internal_error:
    'The service failed. Retry once; if it fails again, give the person the reference in detail.',
  unavailable: 'Wait that long, then repeat the call.',
  limit_reached: 'Delete what is no longer needed first, with consent.',
  page_not_found: 'Call list_pages to get valid ids. A slug is not an id.',
  part_not_found: 'Call list_parts to get valid ids. A name is not an id.',
  file_not_found: 'Call list_files to get valid ids. A name is not an id.',
  data_not_found: 'Call list_data to get valid keys. To create the record, call put_data without version.',
  post_not_found:
    'Call list_my_posts to get the ids of your own posts. Published posts of others can be read but not changed.',
  slug_taken: 'Find the page with list_pages and call update_page, or choose another slug.',
  part_name_taken: 'Find the part with list_parts and call update_part, or choose another name.',
  handle_taken: 'Ask the person for another handle.',
  version_conflict: 'Call get_data, apply your change to that value, and call put_data with its version.',
  parts_quota_exceeded: 'Shorten or delete parts first, with consent.',
  data_quota_exceeded: 'Shrink or delete records first, with consent.',
  storage_quota_exceeded: 'Delete files that are not needed first, with consent.',
}

/** Errors that do not say whether a write took effect. */
const UNCHANGED = new Set<ErrorCode>([
  'validation_failed',
  'payload_too_large',
  'slug_taken',
  'part_name_taken',
  'handle_taken',
  'version_conflict',
  'parts_quota_exceeded',
  'data_quota_exceeded',
  'storage_quota_exceeded',
  'limit_reached',
])

/** Returns the advice for an error. After a failed write it begins by saying that nothing was written. */
export const adviceFor = ({ type }: Pick<Operation, 'type'>, code: ErrorCode): string | undefined => {
  const text = advice[code]
  return text !== undefined && type === 'mutation' && UNCHANGED.has(code)
    ? `Nothing was written. ${text}`
    : text
}
