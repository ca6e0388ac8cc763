import type { TemplateError } from '../../routers/api/renderer.ts'
import type { SavedReview } from '../../routers/content/reviews/findings.ts'
import { positionText, reviewSentences } from '../shared/review-sentences.ts'

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
