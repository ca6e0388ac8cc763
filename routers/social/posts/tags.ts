import { z } from 'zod'
import { fits, isStorable } from '../../core/fields.ts'
import { hasControl } from '../../core/plain-text.ts'
import { userRules } from '../../core/rules.ts'

const { max_count: maxCount, min_length: min, max_length: max } = userRules.post.tags

/** A tag as people type it: white space around it and a leading # are dropped (decision 35). */
const tag = z
  .string()
  .overwrite(value => value.trim().replace(/^#/, '').trim())
  .refine(isStorable, { error: 'must not hold U+0000 or a lone surrogate' })
  .refine(value => !hasControl(value), { error: 'must not hold line breaks or control characters' })
  .refine(value => value !== '' && fits(value, max), {
    error: `must be ${min} to ${max} characters long, without its #`,
  })

/** Of tags that differ in letter case alone the first; sorted by code point, which is how UTF-8 sorts. */
const unique = (tags: string[]): string[] =>
  [...new Map(tags.toReversed().map(tag => [tag.toLowerCase(), tag])).values()].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  )

/** The tags of a new post: cleaned, each once, sorted. */
export const tags = z
  .array(tag)
  .overwrite(unique)
  .refine(list => list.length <= maxCount, { error: `must be at most ${maxCount} different tags` })
  .meta({
    description: `At most ${maxCount} tags of ${min} to ${max} characters; letter case makes no two. They stay as they are from then on`,
    examples: [['beans', 'garden']],
  })
