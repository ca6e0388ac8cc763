import type { ErrorCode } from '../../routers/api/errors.ts'
import type { TemplateError } from '../../routers/api/renderer.ts'
import type { SavedReview } from '../../routers/content/reviews/findings.ts'
import type { Callable } from '../operations/list.ts'
import { positionText, reviewSentences } from '../shared/review-sentences.ts'

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

/** Maximum length of the advice on one write, in characters. Long advice would fill the model's context. */
const MAX_LENGTH = 4_000

/**
 * Describes, for a model, the problems with the items that a call saved or deleted. Returns undefined if
 * there are none.
 *
 * @param verb what the call did
 * @param isOnePage whether the call saved a single page; the advice then does not need to name it
 */
export const savedAdvice = (
  { broken, hints, links, removed, textRecords, uses, sameNames, unchecked }: SavedReview,
  isOnePage: boolean,
  verb: 'Saved' | 'Deleted' = 'Saved',
): string | undefined => {
  const pages = isOnePage
    ? ['']
    : [...new Set([...hints, ...links, ...removed].map(({ slug }) => slug))].sort()
  const of = <Finding extends { slug: string }>(findings: readonly Finding[], page: string) =>
    findings.filter(({ slug }) => isOnePage || slug === page)
  const lines = [
    ...errorLines(broken),
    ...uses.map(usesLine),
    ...sameNames.map(sameNamesLine),
    ...textRecords.map(
      key =>
        `The value of the record “${key}” is a string that contains JSON. Templates see text, not a list or an object. Send the JSON itself as the value, without quotes around it.`,
    ),
    ...pages.flatMap(page =>
      reviewSentences({ hints: of(hints, page), links: of(links, page), removed: of(removed, page) }).map(
        sentence => (page === '' ? sentence : `On the page “${page}”: ${sentence}`),
      ),
    ),
  ]
  const unseen = unchecked.length > 0 ? [uncheckedLine(unchecked)] : []
  if (lines.length === 0) return unseen[0] && `${verb}. ${unseen[0]}`
  const text = [
    `${verb}, but with problems. Correct these:`,
    ...lines.map(line => `- ${line}`),
    ...unseen,
  ].join('\n')
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).toWellFormed()}…`
}

/** Maximum number of unchecked items that the advice names. */
const MAX_UNCHECKED = 10

const uncheckedLine = (unchecked: readonly string[]): string => {
  const named = unchecked.slice(0, MAX_UNCHECKED).join(', ')
  const rest = unchecked.length - MAX_UNCHECKED
  return `Not checked, because there is too much to check or the service is busy: ${named}${rest > 0 ? ` and ${rest} more` : ''}.`
}

/** One line per error, with the pages that show it. */
const errorLines = (broken: SavedReview['broken']): string[] => {
  const slugs = new Map<string, string[]>()
  for (const { slug, error } of broken) {
    const text = errorText(error)
    slugs.set(text, [...(slugs.get(text) ?? []), ...(slug === '' ? [] : [slug])])
  }
  return [...slugs].map(([text, pages]) => (pages.length > 0 ? `${shownBy(pages)} ${text}` : text))
}

/** One line that names the items that still refer to a deleted item, or to a page's old slug. */
const usesLine = ({ what, name, newName, by, successor }: SavedReview['uses'][number]): string => {
  const users = by.map(user => `the ${user.kind} “${user.name}”`).join(', ')
  if (successor !== undefined)
    return `Another file is named “${name}” too (file_id ${successor}). These look a file up by this name, and can find that one now: ${users}.`
  if (newName !== undefined && what === 'file')
    return `The file “${name}” was renamed to “${newName}”, but these still look it up by its old name: ${users}.`
  if (newName !== undefined)
    return `The page “${name}” was renamed to “${newName}”, but these still link to its old address: ${users}.`
  return what === 'page'
    ? `The page “${name}” is gone, but these still link to it: ${users}.`
    : `The ${what} “${name}” is gone, but these still use it: ${users}.`
}

/** One line that says which of several files with the same name templates find. */
const sameNamesLine = ({ name, saved, ids }: SavedReview['sameNames'][number]): string => {
  const [first, ...others] = ids
  const found =
    first === saved ? `this new one (file_id ${saved})` : `a newer one (file_id ${first}), not this one`
  return `${ids.length} files are named “${name}”. Templates that look a file up by this name find ${found}. The others: ${others.join(', ')}. To replace the content of a file, call update_file with its id; delete the files that are not needed.`
}

const shownBy = (pages: readonly string[]) =>
  pages.length === 1
    ? `The page “${pages[0]}” shows an error:`
    : `The pages ${pages.map(slug => `“${slug}”`).join(', ')} show an error:`

/** A template error as sentences: its position, what is wrong, the source line, and how to fix it. */
export const errorText = ({ message, advice, excerpt, ...position }: TemplateError): string =>
  [
    `${positionText(position)}: ${message}`,
    ...(excerpt ? [`Source: \`${excerpt.trim()}\`.`] : []),
    advice,
  ].join(' ')
