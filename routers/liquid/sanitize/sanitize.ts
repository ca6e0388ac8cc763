/**
 * Removes everything active from a static page (contract: page kind `static`), after evaluation.
 *
 * Parses the page according to the HTML standard and writes a new page from the tree: only allowed elements and
 * attributes (allowed.ts), where a browser will leave them (nesting.ts), and escaped text. No markup is copied from the
 * source. Time and memory grow with the length of the source, not with its depth.
 */
import type { DefaultTreeAdapterTypes } from 'parse5'
import { html as htmlNames, parse } from 'parse5'
import { isDataOrAria, isRemovedWithContent, rulesFor } from './allowed.ts'
import { boundedTree } from './bounds.ts'
import { styleSheet } from './css.ts'
import type { Attribute } from './head.ts'
import { keepsLink, keepsMeta } from './head.ts'
import { openInside, staysInPlace, takesOnlyElements } from './nesting.ts'
import { PageWriter } from './writer.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/**
 * Maximum depth of written elements; deeper ones lose their tags. Browsers flatten elements beyond a few hundred
 * levels, and pages written by people nest far less.
 */
const maxDepth = 256

/** An element whose children are being written; `written` is false if its own tags are left out. */
type Level = {
  children: readonly Node[]
  next: number
  name: string
  open: number
  depth: number
  written: boolean
}

const voidElements = new Set(['area', 'br', 'col', 'hr', 'img', 'link', 'meta', 'source', 'track', 'wbr'])

/** Returns the attributes to write for an allowed element, or undefined if they rule out the element. */
function keptAttributes(element: Element): Attribute[] | undefined {
  const rules = rulesFor(element.tagName)
  if (element.tagName === 'meta' && !keepsMeta(element.attrs)) return undefined
  const kept: Attribute[] = []
  for (const { name, value } of element.attrs) {
    const checked = isDataOrAria(name) ? value : rules?.get(name)?.(value)
    if (checked !== undefined) kept.push({ name, value: checked })
  }
  return element.tagName === 'link' && !keepsLink(kept) ? undefined : kept
}

function textOf(element: Element): string {
  return element.childNodes.map(node => ('value' in node ? node.value : '')).join('')
}

function isElement(node: Node): node is Element {
  return 'tagName' in node
}

/**
 * Returns the page without scripts, forms, frames, embeds, SVG, MathML and addresses that could run scripts. Keeps the
 * rendering mode, head, styles, tables, media and links, so that the page looks as intended.
 *
 * Takes a document or a fragment, which becomes a document as in a browser. Sanitizing the result again changes nothing.
 *
 * @throws PageTooComplex if parsing would produce far more than the source contains (see bounds.ts)
 */
export function sanitize(html: string): string {
  // Browsers read a leading byte order mark as a sign of the encoding; the parser would treat it as text.
  const document = parse(html.replace(/^\ufeff/, ''), {
    scriptingEnabled: false,
    treeAdapter: boundedTree(html.length),
  })
  const quirks = document.mode === htmlNames.DOCUMENT_MODE.QUIRKS
  const page = new PageWriter(html.length)
  page.doctype(document.mode)

  const levels: Level[] = [
    { children: document.childNodes, next: 0, name: '#document', open: 0, depth: 0, written: false },
  ]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const node = level.children[level.next++]
    if (node === undefined) {
      levels.pop()
      if (level.written) page.end(level.name)
    } else if (node.nodeName === '#text' && 'value' in node) {
      page.text(node.value, takesOnlyElements(level.name))
    } else if (isElement(node)) {
      const inner = enter(node, level, quirks, page)
      if (inner !== undefined) levels.push(inner)
    }
  }
  return page.finish()
}

/** Writes an element's start tag if allowed; returns the level of its children if they should be written too. */
function enter(element: Element, outer: Level, quirks: boolean, page: PageWriter): Level | undefined {
  const { tagName: name, childNodes: children } = element
  if (element.namespaceURI !== htmlNames.NS.HTML || isRemovedWithContent(name)) return undefined

  const fits = outer.depth < maxDepth && staysInPlace(name, outer.name, outer.open, quirks)
  if (rulesFor(name) === undefined || !fits) {
    if (name === 'style' || name === 'title') return undefined
    return { ...outer, children, next: 0, written: false }
  }

  const attributes = keptAttributes(element)
  if (attributes === undefined) return undefined
  page.start(name, attributes)
  if (voidElements.has(name)) return undefined
  if (name === 'style') {
    page.raw(styleSheet(textOf(element)))
    page.end(name)
    return undefined
  }
  return {
    children,
    next: 0,
    name,
    open: openInside(name, outer.open),
    depth: outer.depth + 1,
    written: true,
  }
}
