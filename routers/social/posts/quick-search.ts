import { z } from 'zod'
import { findPostTexts } from '../../../db/queries/find.ts'
import { findAuthorPosts } from '../../../db/queries/posts.ts'
import { text } from '../../api/fields.ts'
import { escapeHtml } from '../../api/html.ts'
import { limits } from '../../api/rules.ts'
import { shownText } from '../../api/shown-text.ts'
import { signedIn } from '../../api/signed-in.ts'
import { matchingLines } from '../../content/search/matching-lines.ts'
import { titleOf, wordsOf } from './title.ts'

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

/** Maximum number of posts of which a piece of the text is read. */
const MAX_READ = 20

/** The words of a piece of HTML, which can begin in the middle of a tag. */
const wordsOfPiece = (html: string) => wordsOf(html.replace(/^[^<>]*>/, '')).replace(/\s+/g, ' ')

/** Finds the person's own posts by a part of their text, newest first, each with an excerpt around the match. */
export const findTexts = signedIn
  .input(z.strictObject({ text: text({ min: 2, max: limits.searchText, trim: true }) }))
  .output(
    z.array(z.object({ id: z.string(), title: z.string(), is_draft: z.boolean(), excerpt: z.string() })),
  )
  .query(async ({ ctx: { core, sql, session }, input: { text } }) => {
    const rows = await core.slowQueries.run(session.accountId, 1, () =>
      findPostTexts(sql, session.accountId, [text, escapeHtml(text)], {
        scan: SCAN,
        bytes: limits.searchBytes,
        limit: MAX_READ,
      }),
    )
    return (
      rows
        .map(row => ({ row, words: row.is_markdown ? row.piece : wordsOfPiece(row.piece) }))
        // A match in a tag is not one in the text.
        .filter(({ words }) => words.toLowerCase().includes(text.toLowerCase()))
        .slice(0, MAX_POSTS)
        .map(({ row, words }) => ({
          id: row.id,
          title: shownText(titleOf(row)),
          is_draft: row.is_draft,
          excerpt: shownText(matchingLines(words, text, 1)[0]!.excerpt),
        }))
    )
  })
