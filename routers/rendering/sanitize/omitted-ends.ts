/**
 * Authors may omit some end tags (HTML standard, "Optional tags"). The functions in this file tell which other tags
 * then close the innermost open element.
 *
 * Sometimes one tag makes a parser close several elements, such as a list item and a `<b>` that is open in the item. A
 * page in which that happens is not plain (plain.ts), so it is left to the parser.
 */
import { endsParagraph, hasImpliedEnd, isInRuby, isRubyText } from './nesting.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

const cells = names('td th')
const rowGroups = names('thead tbody tfoot')
/** Elements that an `rtc` can contain. */
const inRubyContainer = names('rp rt')
const tableParts = names('caption colgroup col thead tbody tfoot tr td th')

/**
 * Elements whose end tags also close items and paragraphs that are still open inside. For example, `</ul>` closes an
 * open `li`. In contrast, the parser ignores `</span>` if a paragraph is still open in the `span`.
 */
const containers = names(
  `address article aside blockquote center details dialog dir div dl figcaption figure footer
   h1 h2 h3 h4 h5 h6 header hgroup main marquee menu nav ol pre search section summary ul
   dd dt li caption td th`,
)

/**
 * Whether a parser closes the innermost open element before a start tag, and changes nothing else.
 *
 * @param name the name of the start tag
 * @param open the name of the innermost open element
 * @param flags the flags for the content of that element (see `openInside`)
 */
export function closesBeforeStart(name: string, open: string, flags: number, quirks: boolean): boolean {
  if (tableParts.has(name)) return closesBeforeTablePart(name, open)
  if (open === 'p' && endsParagraph(name, quirks)) return true
  if (name === 'li') return open === 'li'
  if (name === 'dd' || name === 'dt') return open === 'dd' || open === 'dt'
  return (
    isRubyText(name) &&
    isInRuby(flags) &&
    hasImpliedEnd(open) &&
    (open !== 'rtc' || !inRubyContainer.has(name))
  )
}

function closesBeforeTablePart(name: string, open: string): boolean {
  if (hasImpliedEnd(open) || cells.has(open) || open === 'caption') return true
  if (open === 'colgroup') return name !== 'col'
  if (open === 'tr') return !cells.has(name)
  return rowGroups.has(open) && name !== 'tr' && !cells.has(name)
}

/**
 * Whether a parser closes the innermost open element when it reads the end tag of another element. Then the author has
 * omitted the end tag of the innermost element.
 *
 * @param name the name of the end tag
 * @param open the name of the innermost open element
 */
export function closesBeforeEnd(name: string, open: string): boolean {
  if (name === open) return false
  if (containers.has(name)) return hasImpliedEnd(open)
  if (name === 'ruby') return isRubyText(open)
  if (name !== 'table' && name !== 'tr' && !rowGroups.has(name)) return false
  if (hasImpliedEnd(open) || cells.has(open)) return true
  if (open === 'tr') return name !== 'tr'
  return name === 'table' && (rowGroups.has(open) || open === 'colgroup' || open === 'caption')
}
