import { z } from 'zod'
import { fits, isStorable } from '../../api/fields.ts'

import { userRules } from '../../api/rules.ts'

const { max_count: maxCount, min_length: min, max_length: max } = userRules.post.tags

/** A tag; surrounding white space and a leading # are removed. */
const tag = z
  .string()
  .overwrite(value => value.trim().replace(/^#/, '').trim())
  .refine(isStorable, { error: 'must not contain U+0000 or a lone surrogate' })
  .refine(value => !/\p{Cc}/u.test(value), { error: 'must not contain control characters' })
  .refine(value => value !== '' && fits(value, max), {
    error: `must be ${min} to ${max} characters long, without its #`,
  })

/**
 * Of tags that differ only in case, keeps the first. Sorts by code point, which is also the order of the UTF-8 bytes.
 */
const unique = (tags: string[]): string[] =>
  [...new Map(tags.toReversed().map(tag => [tag.toLowerCase(), tag])).values()].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  )

/** Counts tags; those that differ only in case count once. Every invalid element counts. */
const countDifferent = (list: unknown[]): number => {
  const names = list.filter(element => typeof element === 'string')
  return new Set(names.map(name => name.toLowerCase())).size + list.length - names.length
}

/** The tags of a new post: cleaned, unique and sorted. */
export const tags = z
  .array(tag)
  .overwrite(unique)
  .refine(list => countDifferent(list) <= maxCount, {
    error: `must be at most ${maxCount} different tags`,
    when: ({ value }) => Array.isArray(value),
  })
  .meta({
    description: `At most ${maxCount} tags of ${min} to ${max} characters; tags that differ only in case count once. You can't change them later`,
    examples: [['beans', 'garden']],
  })
