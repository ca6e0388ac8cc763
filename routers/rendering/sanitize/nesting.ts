/**
 * Decides where an element can be written so that a browser's parser leaves it exactly there.
 *
 * HTML parsers close, move or ignore misplaced tags, and a tree can contain structures that no source text produces.
 * An element is written only where a parser reads it back unchanged, so that the page that a browser builds is the page
 * that was checked (HTML standard, "The rules for parsing tokens in HTML content").
 */

const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/**
 * Maximum depth of written elements; deeper ones lose their tags. Browsers flatten elements beyond a few hundred
 * levels, and pages written by people nest far less.
 */
export const maxDepth = 256

const voidElements = names('area br col hr img link meta source track wbr')

/** Whether an element has no content and no end tag. */
export function isVoid(element: string): boolean {
  return voidElements.has(element)
}

// Flags for the kinds of open elements that affect how their content is parsed.
const openParagraph = 1
const openLink = 2
const openNobr = 4
const openItem = 8
const openDefinition = 16
const openRuby = 32

/** Start tags that close an open paragraph in every mode. */
const paragraphEnds = names(
  `address article aside blockquote center dd details dialog dir div dl dt figcaption figure footer
   h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary ul`,
)

/** Whether a start tag closes an open paragraph. A table does so only outside quirks mode. */
export function endsParagraph(element: string, quirks: boolean): boolean {
  return paragraphEnds.has(element) || (element === 'table' && !quirks)
}

const heading = names('h1 h2 h3 h4 h5 h6')
const rubyText = names('rb rp rt rtc')
const impliedEnd = names('dd dt li p rb rp rt rtc')

/** Whether an element annotates ruby text. */
export function isRubyText(element: string): boolean {
  return rubyText.has(element)
}

/** Whether the end tags of many other elements also close this element. */
export function hasImpliedEnd(element: string): boolean {
  return impliedEnd.has(element)
}

/** Whether the flags `open` (see `openInside`) say that a `ruby` element is open. */
export function isInRuby(open: number): boolean {
  return (open & openRuby) !== 0
}

/** Inside these elements, the parser does not see the open elements around them. */
const boundary = names('body table caption td th marquee')

/** Inside these elements, the parser does not see the open list items around them. */
const itemBoundary = names(
  `article aside blockquote center dd details dir dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup li main
   menu nav ol pre section summary ul`,
)

/** Elements that can contain only certain child elements and white space, with the names of these children. */
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

/** Whether an element can be in the head. */
export function isHeadContent(element: string): boolean {
  return childrenOf.get('head')?.has(element) === true
}

/** Elements that the parser ignores outside their proper parent. */
const onlyInParent = names('html head body caption colgroup col thead tbody tfoot tr td th')

/** Whether the only text allowed directly inside an element is white space. */
export function takesOnlyElements(parent: string): boolean {
  return childrenOf.has(parent)
}

/**
 * Whether `element` stays inside `parent` when a parser reads it. `open`: flags for the open elements around
 * `element` (see `openInside`).
 */
export function staysInPlace(element: string, parent: string, open: number, quirks: boolean): boolean {
  const only = childrenOf.get(parent)
  if (only !== undefined) return only.has(element)
  if (onlyInParent.has(element)) return false
  if (open & openParagraph && endsParagraph(element, quirks)) return false
  if (heading.has(element) && heading.has(parent)) return false
  if (element === 'a') return !(open & openLink)
  if (element === 'nobr') return !(open & openNobr)
  if (element === 'li') return !(open & openItem)
  if (element === 'dd' || element === 'dt') return !(open & openDefinition)
  if (rubyText.has(element)) return !(open & openRuby && impliedEnd.has(parent))
  return true
}

/** Returns the flags for the children of `element`, given the flags around it (0 at the start of a document). */
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
