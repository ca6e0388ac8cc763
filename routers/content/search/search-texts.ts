import { setImmediate } from 'node:timers/promises'
import { type FoundText, findTexts } from '../../../db/queries/find.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { limits } from '../../api/rules.ts'
import { type MatchingLine, matchingLines } from './matching-lines.ts'

/** What to search, and how much to return. */
interface TextSearch extends Pick<Parameters<typeof findTexts>[3], 'kinds' | 'fields' | 'each'> {
  /** Maximum number of lines of one item; by default, as many as of all items. */
  lines?: number
}

/** A line of a text of a space. */
export interface TextMatch extends MatchingLine {
  kind: FoundText['kind']
  /** The id, or the key of a record. */
  id: string
  /** The slug, name or key. */
  name: string
  in: FoundText['field']
}

/**
 * Finds the lines of a space's names and texts that contain a text, ignoring case; at most `limits.searchMatches`.
 *
 * @returns the lines, and whether they are all there are
 */
export const searchTexts = async (
  { core, sql, space, accountId }: Pick<SpaceCall, 'core' | 'sql' | 'space' | 'accountId'>,
  text: string,
  { lines = limits.searchMatches + 1, ...search }: TextSearch,
): Promise<{ matches: TextMatch[]; isComplete: boolean }> => {
  const most = limits.searchMatches
  const { found, isComplete } = await core.slowQueries.run(accountId, 1, () =>
    findTexts(sql, space.id, text, { ...search, limit: most + 1, bytes: limits.searchBytes }),
  )
  const matches: TextMatch[] = []
  for (const { kind, id, name, field, text: content } of found) {
    if (matches.length > most) break
    // A long body takes milliseconds to search; yield to other requests first.
    await setImmediate()
    for (const line of matchingLines(content, text, Math.min(lines, most + 1 - matches.length)))
      matches.push({ kind, id, name, in: field, ...line })
  }
  return { matches: matches.slice(0, most), isComplete: isComplete && matches.length <= most }
}
