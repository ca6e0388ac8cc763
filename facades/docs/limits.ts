import { type CreationLimits, limits, rules, userRules } from '../../routers/api/rules.ts'
import { CPU_LIMIT_MS } from '../../routers/rendering/engine/budget.ts'
import { formatNumber } from '../openapi/format.ts'
import type { Api } from '../shared/apis.ts'

/** A row of the table of limits. */
type Limit = [name: string, maximum: string]

const bytes = (count: number) => `${formatNumber(count)} bytes`
const characters = (count: number) => `${formatNumber(count)} characters`

/** The limits of each API (contract: "Limits"), taken from the constants that the code enforces. */
export const limitsOf = (creation: CreationLimits): Record<Api['name'], Limit[]> => ({
  space: [
    ['Request body', bytes(limits.body)],
    ['Request body with a file', bytes(limits.fileBody)],
    ['Pages of a space', formatNumber(creation.pages)],
    ['Parts of a space', formatNumber(creation.parts)],
    ['Files of a space', formatNumber(creation.files)],
    ['Participants of a space', formatNumber(creation.participants)],
    ['Keys of a space', formatNumber(limits.keys)],
    [
      'Kept answers for safe retries',
      `${formatNumber(limits.keptAnswers)} of each key, for ${limits.keptAnswerHours} hours`,
    ],
    ['Webhooks of a space', formatNumber(limits.webhooks)],
    ['Webhooks of an account', formatNumber(limits.webhooksOfAccount)],
    ['Open invitations of a space', formatNumber(limits.openInvites)],
    ['Preview links of a space', `${limits.previewLinks}, each for ${limits.previewLinkDays} days`],
    [
      'Scheduled saves and deletions of a space',
      `${limits.schedules}, at most ${limits.scheduleDays} days ahead`,
    ],
    ['Scheduled saves and deletions of an account', formatNumber(limits.schedulesOfAccount)],
    ['Page body', characters(rules.page.html_max_length)],
    ['Page slug', characters(rules.page.slug.max_length)],
    ['Part body', characters(rules.part.html_max_length)],
    ['All part bodies of a space', characters(rules.part.total_max_length)],
    ['Part name', characters(rules.part.name.max_length)],
    ['Data records of a space', formatNumber(rules.data.max_records)],
    ['Data record', `${bytes(rules.data.value_max_bytes)}, ${rules.data.max_depth} levels deep`],
    ['All data records of a space', bytes(rules.data.total_max_bytes)],
    ['Description of a record', characters(limits.dataDescription)],
    ['File', `${bytes(rules.file.max_bytes)} after decoding`],
    ['All files of a space', bytes(rules.file.quota_bytes)],
    ['File name', characters(rules.file.name_max_length)],
    ['Upload link', `one file, within ${limits.uploadLinkMinutes} minutes`],
    ['Replacements in one edit', formatNumber(limits.edits)],
    ['Pages, parts and records in one write', `${formatNumber(limits.manyWrites)} of each`],
    ['Pages and parts updated by renaming a part', formatNumber(limits.renamedUses)],
    ['Total length of bodies updated by renaming a part', characters(limits.renamedText)],
    ['Text to search for', characters(limits.searchText)],
    ['Matches of a search', formatNumber(limits.searchMatches)],
    ['Names and bodies that a search reads', bytes(limits.searchBytes)],
    ['Searches of an account per minute', formatNumber(limits.searchesPerMinute)],
    ['Rendered page in one tool result', characters(limits.renderedText)],
    ['Rendering of a template', `${CPU_LIMIT_MS} ms of processor time`],
  ],
  user: [
    ['Request body', bytes(limits.body)],
    ['Request body with a picture', bytes(limits.iconBody)],
    ['Picture', `${limits.iconSide} × ${limits.iconSide} pixels, ${bytes(limits.iconBytes)}`],
    ['Spaces of an account', formatNumber(creation.spaces)],
    ['Tokens of an account', `${formatNumber(limits.tokens)}, connected apps included`],
    [
      'Kept answers for safe retries',
      `${formatNumber(limits.keptAnswers)} of each token, for ${limits.keptAnswerHours} hours`,
    ],
    ['Published posts', formatNumber(creation.posts)],
    ['Drafts of posts', formatNumber(creation.drafts)],
    ['New posts per minute', formatNumber(creation.postsPerMinute)],
    ['New comments per minute', formatNumber(creation.commentsPerMinute)],
    ['Followed people', formatNumber(creation.follows)],
    ['Muted and blocked people', formatNumber(creation.mutes)],
    ['Handle', characters(userRules.profile.handle.max_length)],
    ['Display name', characters(userRules.profile.display_name.max_length)],
    ['Bio', characters(userRules.profile.bio.max_length)],
    ['Comment on a shared link', characters(userRules.post.text.max_length)],
    [
      'Tags of a post',
      `${userRules.post.tags.max_count}, each ${characters(userRules.post.tags.max_length)}`,
    ],
    ['Comment', characters(userRules.comment.body.max_length)],
    ['Listed comments of a post', `the oldest ${userRules.comment.list_max_count}`],
  ],
})
