/**
 * Removes everything active from a static page (contract: page kind `static`), after evaluation.
 *
 * Parses the page according to the HTML standard and writes a new page from the tree. The new page contains only
 * escaped text, allowed elements and allowed attributes (allowed.ts). An element is left out if a browser's parser
 * would move it to another place (nesting.ts). No markup is copied from the source. Time and memory grow with the
 * length of the source, not with its depth.
 */
import type { DefaultTreeAdapterTypes } from 'parse5'
import { html as htmlNames, parse } from 'parse5'
import { isRemovedWithContent, rulesFor, writtenName } from './allowed.ts'
import { keptAttributes } from './attributes.ts'
import { boundedTree } from './bounds.ts'
import { hasBadAddress, styleSheet } from './css.ts'
import { isCodeInMath, mathRulesFor, takesOnlyText } from './mathml.ts'
import { isVoid, maxDepth, openInside, staysInPlace, takesOnlyElements } from './nesting.ts'
import { sanitizePlain } from './plain.ts'
import type { Removals } from './removals.ts'
import { PageWriter } from './writer.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** What may be written inside an element: HTML, MathML elements and text, or only text. */
type Content = 'html' | 'math' | 'text'

/** An element whose children are being written; `written` is false if its own tags are left out. */
type Level = {
  children: readonly Node[]
  next: number
  name: string
  open: number
  depth: number
  content: Content
  written: boolean
}

function textOf(element: Element): string {
  return element.childNodes.map(node => ('value' in node ? node.value : '')).join('')
}

function isElement(node: Node): node is Element {
  return 'tagName' in node
}

/**
 * Returns the page without scripts, forms, frames, embeds, SVG and addresses that could run scripts. Keeps the rendering
 * mode, head, styles, tables, media, formulas and links, so that the page looks as intended.
 *
 * Takes a document or a fragment, which becomes a document as in a browser. Sanitizing the result again changes nothing.
 *
 * @param removals collects what is removed
 * @throws PageTooComplex if parsing would produce far more than the source contains (see bounds.ts)
 */
export function sanitize(html: string, removals?: Removals): string {
  // A report of removals needs the parser: the fast path does not see everything that is removed.
  return (removals ? undefined : sanitizePlain(html)) ?? sanitizeParsed(html, removals)
}

/**
 * Sanitizes any page, by parsing it. `sanitize` returns the same result, and is faster for plain pages if
 * `removals` is not given.
 */
export function sanitizeParsed(html: string, removals?: Removals): string {
  // Browsers read a leading byte order mark as a sign of the encoding; the parser would treat it as text.
  const document = parse(html.replace(/^\ufeff/, ''), {
    scriptingEnabled: false,
    treeAdapter: boundedTree(html.length),
  })
  const quirks = document.mode === htmlNames.DOCUMENT_MODE.QUIRKS
  const page = new PageWriter(html.length)
  page.doctype(document.mode)
  const writing: Writing = { page, quirks, removals }

  const levels: Level[] = [
    {
      children: document.childNodes,
      next: 0,
      name: '#document',
      open: 0,
      depth: 0,
      content: 'html',
      written: false,
    },
  ]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const node = level.children[level.next++]
    if (node === undefined) {
      levels.pop()
      if (level.written) page.end(level.name)
    } else if (node.nodeName === '#text' && 'value' in node) {
      page.text(node.value, level.content === 'html' && takesOnlyElements(level.name))
    } else if (isElement(node)) {
      const inner = enter(node, level, writing)
      if (inner !== undefined) levels.push(inner)
    } else if (node.nodeName === '#comment') removals?.comment()
  }
  return page.finish()
}

/** The state while a page is being written. */
interface Writing {
  page: PageWriter
  quirks: boolean
  removals: Removals | undefined
}

/**
 * Writes the start tag of an element if the element is allowed.
 *
 * @returns the level of the element's children; undefined if no children are left to write
 */
function enter(element: Element, outer: Level, writing: Writing): Level | undefined {
  const { childNodes: children } = element
  const isMath = element.namespaceURI === htmlNames.NS.MATHML
  if (!isMath && (element.namespaceURI !== htmlNames.NS.HTML || isRemovedWithContent(element.tagName))) {
    writing.removals?.element(element.tagName)
    return undefined
  }
  const name = isMath ? element.tagName : writtenName(element.tagName)
  const rules = isMath ? mathRulesFor(name) : rulesFor(name)
  const fits = isMath ? fitsMath(name, outer, writing) : fitsHtml(name, outer, writing)
  if (rules === undefined || !fits) {
    writing.removals?.element(element.tagName, rules !== undefined)
    if (name === 'style' || name === 'title' || (isMath && isCodeInMath(name))) return undefined
    return { ...outer, children, next: 0, written: false }
  }

  const attributes = keptAttributes(name, element.attrs, rules, writing.removals)
  if (attributes === undefined) {
    writing.removals?.element(element.tagName)
    return undefined
  }
  writing.page.start(name, attributes)
  if (isVoid(name)) return undefined
  if (name === 'style') {
    const css = textOf(element)
    if (writing.removals && hasBadAddress(css)) writing.removals.addressInStyleSheet()
    writing.page.raw(styleSheet(css))
    writing.page.end(name)
    return undefined
  }
  return {
    children,
    next: 0,
    name,
    open: openInside(name, outer.open),
    depth: outer.depth + 1,
    content: !isMath ? 'html' : takesOnlyText(name) ? 'text' : 'math',
    written: true,
  }
}

function fitsHtml(name: string, outer: Level, { quirks }: Writing): boolean {
  return (
    outer.content === 'html' && outer.depth < maxDepth && staysInPlace(name, outer.name, outer.open, quirks)
  )
}

/**
 * Whether a MathML element can be written here. A formula begins where HTML is allowed; only MathML elements can be
 * inside it.
 */
function fitsMath(name: string, outer: Level, writing: Writing): boolean {
  if (name === 'math') return fitsHtml(name, outer, writing)
  return outer.content === 'math' && outer.depth < maxDepth
}
