/**
 * MathML on static pages. Most mutation XSS attacks exploit its parsing rules: inside some of its elements a parser
 * reads HTML, inside others it does not. So only presentation elements are written, and elements in which HTML could
 * begin contain only text.
 */
import type { ValueRule } from './addresses.ts'
import { isRemovedWithContent } from './allowed.ts'
import { styleAttribute } from './css.ts'

const words = (list: string): string[] => list.split(/\s+/)
const text: ValueRule = value => value

/** Elements that may contain only text. Inside all of them except `annotation`, an HTML parser would read HTML. */
const textElements: ReadonlySet<string> = new Set(words('mi mn mo ms mtext annotation'))

/**
 * Elements that contain other elements. All other elements, such as `maction`, `mglyph` and `malignmark`, lose
 * their tags.
 */
const containers: ReadonlySet<string> = new Set(
  words(`math semantics mrow mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose mspace
    msub msup msubsup munder mover munderover mmultiscripts mprescripts none
    mtable mtr mlabeledtr mtd`),
)

/** Attributes that every element may have; none of them contains an address. */
const attributes: ReadonlyMap<string, ValueRule> = new Map([
  ...words(`class id dir lang title hidden accent accentunder align alttext close columnalign columnlines
    columnspacing columnspan denomalign depth display displaystyle encoding fence form frame framespacing height
    largeop linethickness lquote lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits
    notation numalign open rowalign rowlines rowspacing rowspan rquote rspace scriptlevel scriptminsize
    scriptsizemultiplier separator separators stretchy symmetric voffset width`).map(
    name => [name, text] as const,
  ),
  ['style', styleAttribute],
])

/** The attribute rules of a MathML element; undefined if the element is not allowed. */
export function mathRulesFor(element: string): ReadonlyMap<string, ValueRule> | undefined {
  return containers.has(element) || textElements.has(element) ? attributes : undefined
}

/** Whether a MathML element may contain only text, and no other elements. */
export function takesOnlyText(element: string): boolean {
  return textElements.has(element)
}

/** Whether an element is removed with its content, which is code or another notation of the formula. */
export function isCodeInMath(element: string): boolean {
  return element === 'annotation-xml' || isRemovedWithContent(element)
}
