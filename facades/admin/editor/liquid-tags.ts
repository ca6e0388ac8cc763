const TAG = /\{%-?\s*(\w+)/g

/** A tag that opens a block, and its offset. */
interface OpenBlock {
  name: string
  at: number
}

/**
 * The blocks that are open at the end of a text, outermost first.
 *
 * @param blocks the tags that have an end tag
 */
export const openBlocks = (before: string, blocks: readonly string[]): OpenBlock[] => {
  const open: OpenBlock[] = []
  for (const { 1: name = '', index } of before.matchAll(TAG)) {
    if (blocks.includes(name)) open.push({ name, at: index })
    else if (name.startsWith('end') && open.at(-1)?.name === name.slice(3)) open.pop()
  }
  return open
}

/** The offset after a tag or an output; the end of the text if it is not closed. */
const endOf = (text: string, start: number): number => {
  const close = text.startsWith('{%', start) ? '%}' : '}}'
  const end = text.indexOf(close, start + 2)
  return end === -1 ? text.length : end + close.length
}

/**
 * Whether an error may be due to a tag, an output or a block that is still being typed, because the cursor is inside it
 * or right after it.
 *
 * @param at offset of the error
 * @param blocks the tags that have an end tag
 */
export const isBeingTyped = (
  text: string,
  at: number,
  cursor: number,
  blocks: readonly string[],
): boolean => {
  const start = Math.max(text.lastIndexOf('{%', at), text.lastIndexOf('{{', at), 0)
  const [, name = ''] = /^\{%-?\s*(\w+)/.exec(text.slice(start, start + 60)) ?? []
  if (cursor > start && (blocks.includes(name) || cursor <= endOf(text, start))) return true
  // If a block lacks its end tag, the error is reported at the end tag of the enclosing block.
  const unclosed = name.startsWith('end') ? openBlocks(text.slice(0, start), blocks).at(-1) : undefined
  return unclosed !== undefined && `end${unclosed.name}` !== name && cursor > unclosed.at && cursor <= start
}
