/**
 * Describes how the sanitizer's parser reads a page, in the same form in which `frames.html` describes how the browser
 * reads it.
 */
import type { DefaultTreeAdapterTypes } from 'parse5'
import { html, parse } from 'parse5'
import type { Reading } from './hazards.ts'

function plain(node: DefaultTreeAdapterTypes.ChildNode): unknown {
  if ('value' in node) return node.value
  if (!('tagName' in node)) return node.nodeName
  return [
    node.namespaceURI === html.NS.HTML ? node.tagName : `foreign ${node.tagName}`,
    node.attrs.map(({ name, value }) => [name, value]),
    node.childNodes.map(plain),
  ]
}

/** Returns what the browser should report for a page if it parses the page as the sanitizer's parser does. */
export function expectedReading(page: string): Reading {
  const document = parse(page)
  const root = document.childNodes.find(node => node.nodeName === 'html')
  return { tree: root && plain(root), quirks: document.mode === html.DOCUMENT_MODE.QUIRKS }
}
