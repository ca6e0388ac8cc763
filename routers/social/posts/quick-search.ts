import { z } from 'zod'
import { findAuthorPosts } from '../../../db/queries/posts.ts'
import { text } from '../../api/fields.ts'
import { escapeHtml } from '../../api/html.ts'
import { limits } from '../../api/rules.ts'
import { shownText } from '../../api/shown-text.ts'
import { signedIn } from '../../api/signed-in.ts'
import { titleOf } from './title.ts'

/** Maximum number of posts that are searched. The service searches the newest posts of the person. */
const SCAN = 500

/**
 * Maximum number of posts whose titles are computed. The service computes the titles of the newest posts that contain
 * the longest word of the search text.
 */
const CANDIDATES = 60

/** Maximum number of posts in the response. */
const MAX_POSTS = 6

const longestWord = (needle: string) =>
  needle.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest))

/** Finds the person's own posts by a part of their title, newest first. */
export const find = signedIn
  .input(z.strictObject({ text: text({ min: 1, max: limits.quickSearch, trim: true }) }))
  .output(z.array(z.object({ id: z.string(), title: z.string(), is_draft: z.boolean() })))
  .query(async ({ ctx: { sql, session }, input }) => {
    const word = longestWord(input.text)
    const rows = await findAuthorPosts(sql, session.accountId, [word, escapeHtml(word)], {
      scan: SCAN,
      limit: CANDIDATES,
    })
    const needle = input.text.replace(/\s+/g, ' ').toLowerCase()
    return rows
      .map(row => ({ id: row.id, title: shownText(titleOf(row)), is_draft: row.is_draft }))
      .filter(({ title }) => title.toLowerCase().includes(needle))
      .slice(0, MAX_POSTS)
  })
