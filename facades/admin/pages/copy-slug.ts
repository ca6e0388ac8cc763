import { rules } from '../../../routers/api/rules.ts'

/** A free slug for the copy of a page: `about-2` for `about`. */
export const copySlug = (slug: string, taken: ReadonlySet<string>): string => {
  for (let number = 2; ; number += 1) {
    const end = `-${number}`
    const start = slug.slice(0, rules.page.slug.max_length - end.length).replace(/-+$/, '')
    if (!taken.has(start + end)) return start + end
  }
}
