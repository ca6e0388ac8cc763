import type { StoredPicture } from '../pictures/stored-picture.ts'

/** A name that no template can have as a literal, because it contains both kinds of quotes. */
export class UnquotableName extends Error {}

/**
 * Returns what replaces a range of a template, so that another picture is shown.
 *
 * @param range the address of the picture or, with `by: 'name'`, the name of the file as a literal in a tag
 * @returns a range that includes the quotes, and the text to write there
 */
export const pictureSource = (
  text: string,
  { begin, end }: { begin: number; end: number },
  by: 'url' | 'name',
  { url, name }: StoredPicture,
): { begin: number; end: number; insert: string } => {
  const quote = text[begin - 1] ?? ''
  const isQuoted = (quote === '"' || quote === "'") && text[end] === quote
  const range = isQuoted ? { begin: begin - 1, end: end + 1 } : { begin, end }
  if (by === 'url') return { ...range, insert: `"${url}"` }
  const free = [quote, '"', "'"].find(one => !name.includes(one))
  if (free === undefined) throw new UnquotableName()
  return { ...range, insert: free + name + free }
}
