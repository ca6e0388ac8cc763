/**
 * Tags whose content is not Liquid: raw text, comments and documentation. Used by the tokenizer, and by the scan of
 * bodies that are not valid Liquid.
 */

/** The opaque tags, and whether each can be nested inside itself. */
const NESTS: Readonly<Record<string, boolean>> = { raw: false, comment: true, doc: true }

/** Whether a tag is opaque. */
export function isOpaque(tag: string): boolean {
  return Object.hasOwn(NESTS, tag)
}

/** Start and end of an end tag in a body. */
export interface EndTag {
  begin: number
  end: number
}

/**
 * Finds the end tag of an opaque tag, in linear time.
 *
 * @param from where the tag's content begins
 * @param unclosed collects the tags that are not closed in the rest of this body, so that their end tags are not
 * searched for again
 * @returns undefined if the tag is never closed
 */
export function findEndTag(
  body: string,
  tag: string,
  from: number,
  unclosed: Set<string>,
): EndTag | undefined {
  if (unclosed.has(tag)) return undefined
  const tags = new RegExp(`\\{%-?[ \\t\\r\\n]*(end)?(${tag === 'comment' ? 'comment|raw' : tag})\\b`, 'g')
  tags.lastIndex = from
  let depth = 1
  for (let found = tags.exec(body); found; found = tags.exec(body)) {
    const [, isEnd, name] = found
    if (name !== tag) {
      // Raw text inside a comment can contain the comment's end tag as text.
      const raw = isEnd ? undefined : findEndTag(body, 'raw', tags.lastIndex, unclosed)
      if (raw) tags.lastIndex = raw.end
    } else if (isEnd) {
      depth -= 1
    } else if (NESTS[tag]) {
      depth += 1
    }
    if (depth > 0) continue
    const close = body.indexOf('%}', tags.lastIndex)
    if (close !== -1) return { begin: found.index, end: close + 2 }
    break
  }
  unclosed.add(tag)
  return undefined
}
