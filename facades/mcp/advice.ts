import type { ErrorCode } from '../../routers/core/errors.ts'

/** What an agent does next after a failure, for every failure that a tool can end with. */
export const advice: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'The key or token no longer works. Ask the person for a new one; trying again does not help.',
  insufficient_scope:
    'This key or token was issued without that scope, and scopes cannot be added. Tell the person which one is needed.',
  rate_limited: 'Wait for that long, then make the same call again. Refused calls do not count.',
  validation_failed: 'Nothing was written. Correct every field listed in errors, then call again.',
  payload_too_large: 'Nothing was written. Send less in one call.',
  internal_error:
    'The fault is on the side of the service. Try once more; if it stays, tell the person the reference in detail.',
  page_not_found: 'Call list_pages for the ids that there are. A slug is not an id.',
  part_not_found: 'Call list_parts for the ids that there are. A name is not an id.',
  file_not_found: 'Call list_files for the ids that there are. A name is not an id.',
  data_not_found:
    'Call list_data for the keys that there are. To create the record, call put_data without version.',
  post_not_found:
    'Call list_my_posts for the ids of your own posts. Posts of others can be read while they are published, and not changed.',
  slug_taken:
    'Nothing was written. Find the page with list_pages and call update_page, or choose another slug.',
  part_name_taken:
    'Nothing was written. Find the part with list_parts and call update_part, or choose another name.',
  handle_taken: 'Nothing was changed. Ask the person for another handle.',
  version_conflict:
    'Nothing was written. Call get_data, apply your change to that value, and call put_data with its version.',
  parts_quota_exceeded: 'Nothing was written. Shorten or delete parts first, with consent.',
  data_quota_exceeded: 'Nothing was written. Shrink or delete records first, with consent.',
  storage_quota_exceeded: 'Nothing was written. Delete files that are not needed first, with consent.',
}
