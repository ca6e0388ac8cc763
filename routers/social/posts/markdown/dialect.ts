import MarkdownIt from 'markdown-it'

/** Maximum nesting of quotes, lists and brackets. Deeper nesting takes time to parse and is not useful to readers. */
export const MAX_NESTING = 20

/** Schemes that links and images can use; a relative URL stays within the post's own origin. */
export const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** A placeholder for the post's own origin; no real host ends in `.invalid`. */
const OWN_ORIGIN = 'https://post.invalid'

/**
 * Returns a parser of the Markdown in which posts are written: CommonMark with tables, strikethrough and links for bare
 * URLs, without HTML. The dashboard's visual editor uses it too.
 */
export const newMarkdown = () => {
  const created = new MarkdownIt({ html: false, linkify: true })
  created.set({ maxNesting: MAX_NESTING })
  // Do not turn text that begins with `//` into a link, because it is often not a URL.
  created.linkify.add('//', null)
  // Parse the address like a browser, so that an obfuscated `javascript:` is recognized.
  created.validateLink = address =>
    URL.canParse(address, OWN_ORIGIN) && SCHEMES.has(new URL(address, OWN_ORIGIN).protocol)
  return created
}
