/**
 * Makes a page safe to show without scripts (contract: page kind `static`; what is stripped goes after evaluation).
 *
 * The text is read by a parser that follows the HTML standard, and a new text is written from the tree: only allowed
 * elements and attributes (allowed.ts) where a browser will leave them (nesting.ts), everything else escaped. Nothing
 * of the source is copied as markup. Time and memory grow with the length of the text, never with its depth.
 */
import type { DefaultTreeAdapterTypes } from 'parse5'
import { html as htmlNames, parse } from 'parse5'
import { isEmptied, isOpenAttribute, rulesFor } from './allowed.ts'
import { boundedTree } from './bounds.ts'
import { styleSheet } from './css.ts'
import type { Attribute } from './head.ts'
import { keepsLink, keepsMeta } from './head.ts'
import { openInside, staysInPlace, takesOnlyElements } from './nesting.ts'
import { PageWriter } from './writer.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/**
 * How deep written elements nest at most; what lies deeper is kept without its tags. Browsers flatten what is nested
 * deeper than some hundred levels, and no page that people write comes near.
 */
const deepest = 256

/** An element whose children are being written, or one that lost its tags and passes its children on. */
type Level = {
  children: readonly Node[]
  next: number
  name: string
  open: number
  depth: number
  written: boolean
}

const voidElements = new Set(['area', 'br', 'col', 'hr', 'img', 'link', 'meta', 'source', 'track', 'wbr'])

/** The attributes of an allowed element that may be written; undefined when the element has to go because of them. */
function keptAttributes(element: Element): Attribute[] | undefined {
  const rules = rulesFor(element.tagName)
  if (element.tagName === 'meta' && !keepsMeta(element.attrs)) return undefined
  const kept: Attribute[] = []
  for (const { name, value } of element.attrs) {
    const checked = isOpenAttribute(name) ? value : rules?.get(name)?.(value)
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
 * The page without anything that acts: no scripts, forms, frames, embeds, SVG or MathML, and no address that could run
 * something. Doctype mode, head, styles, tables, media and links stay, so the page looks as its author meant it.
 *
 * Takes a whole document or a fragment (which becomes a document, as in a browser) and gives a whole document.
 * Sanitizing the result again changes nothing.
 *
 * @throws PageTooComplex when the page asks the parser for far more than was written (see bounds.ts).
 */
export function sanitize(html: string): string {
  // A browser takes a byte order mark in front for a sign of the encoding; the parser would take it for text.
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

/** Writes an element's start tag if it may be written, and gives the level of its children if they are to follow. */
function enter(element: Element, outer: Level, quirks: boolean, page: PageWriter): Level | undefined {
  const { tagName: name, childNodes: children } = element
  if (element.namespaceURI !== htmlNames.NS.HTML || isEmptied(name)) return undefined

  const fits = outer.depth < deepest && staysInPlace(name, outer.name, outer.open, quirks)
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
