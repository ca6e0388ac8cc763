/**
 * Where an element may stand so that a browser, reading the written page, puts it exactly there.
 *
 * HTML parsers close, move or ignore a tag that comes in the wrong place, and a tree can hold arrangements that no
 * source text leads to. Writing only what is read back unchanged is what keeps the page a reader gets identical to
 * the page that was checked (HTML standard, "The rules for parsing tokens in HTML content").
 */

const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

// What is open around a place, as far as the parser asks for it.
const openParagraph = 1
const openLink = 2
const openNobr = 4
const openItem = 8
const openDefinition = 16
const openRuby = 32

/** Start tags that end an open paragraph. A table does so too, except in quirks mode. */
const endsParagraph = names(
  `address article aside blockquote center dd details dialog dir div dl dt figcaption figure footer
   h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary ul`,
)

const heading = names('h1 h2 h3 h4 h5 h6')
const rubyText = names('rb rp rt rtc')
const impliedEnd = names('dd dt li p rb rp rt rtc')

/** Elements that hide everything open outside them from the parser. */
const boundary = names('body table caption td th marquee')

/** Elements behind which an outer list item is no longer looked for. */
const itemBoundary = names(
  `article aside blockquote center dd details dir dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup li main
   menu nav ol pre section summary ul`,
)

/** Elements that take only certain children; text between them can only be white space. */
const childrenOf: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['#document', names('html')],
  ['html', names('head body')],
  ['head', names('title meta link style')],
  ['table', names('caption colgroup thead tbody tfoot style')],
  ['colgroup', names('col')],
  ['thead', names('tr style')],
  ['tbody', names('tr style')],
  ['tfoot', names('tr style')],
  ['tr', names('td th style')],
])

/** Elements that are ignored anywhere but in their proper parent. */
const onlyInParent = names('html head body caption colgroup col thead tbody tfoot tr td th')

/** Whether only white space may be written as text directly inside an element. */
export function takesOnlyElements(parent: string): boolean {
  return childrenOf.has(parent)
}

/** Whether a parser leaves `element` where it is written: inside `parent`, with `open` around it (see `openInside`). */
export function staysInPlace(element: string, parent: string, open: number, quirks: boolean): boolean {
  const only = childrenOf.get(parent)
  if (only !== undefined) return only.has(element)
  if (onlyInParent.has(element)) return false
  if (open & openParagraph && (endsParagraph.has(element) || (element === 'table' && !quirks))) return false
  if (heading.has(element) && heading.has(parent)) return false
  if (element === 'a') return !(open & openLink)
  if (element === 'nobr') return !(open & openNobr)
  if (element === 'li') return !(open & openItem)
  if (element === 'dd' || element === 'dt') return !(open & openDefinition)
  if (rubyText.has(element)) return !(open & openRuby && impliedEnd.has(parent))
  return true
}

/** What is open for the children of `element`, given what is open around it. 0 is the start of a document. */
export function openInside(element: string, open: number): number {
  if (boundary.has(element)) return 0
  const inherited = itemBoundary.has(element) ? open & ~(openItem | openDefinition) : open
  if (element === 'p') return inherited | openParagraph
  if (element === 'a') return inherited | openLink
  if (element === 'nobr') return inherited | openNobr
  if (element === 'li') return inherited | openItem
  if (element === 'dd' || element === 'dt') return inherited | openDefinition
  if (element === 'ruby') return inherited | openRuby
  return inherited
}
