import { createElement, Fragment, type ReactNode } from 'react'
import classes from './FormattedText.module.css'

/** The elements of a formatted comment that have no attributes. */
const PLAIN = ['p', 'em', 'strong', 's', 'ul', 'li', 'blockquote', 'pre', 'code'] as const

/** Schemes that links can use. */
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** Returns the attributes of a link to a page or a mailbox; null for any other link. */
const linkAttributes = (link: Element) => {
  const address = URL.parse(link.getAttribute('href') ?? '')
  return address && SCHEMES.has(address.protocol)
    ? { href: address.href, target: '_blank', rel: 'noopener nofollow ugc' }
    : null
}

const toReact = (node: Node): ReactNode => {
  if (node instanceof Text) return node.data
  if (!(node instanceof Element)) return null
  const name = node.localName
  const children = Array.from(node.childNodes, toReact)
  if (name === 'br') return createElement('br')
  if (node instanceof HTMLOListElement) return createElement('ol', { start: node.start }, ...children)
  const attributes = name === 'a' && linkAttributes(node)
  if (attributes) return createElement('a', attributes, ...children)
  // Keep the elements in PLAIN, without attributes. Replace any other element with its children.
  return createElement(PLAIN.find(plain => plain === name) ?? Fragment, null, ...children)
}

/**
 * Formatted text, such as a comment. Builds known elements instead of inserting the HTML, so that nothing else in the
 * HTML reaches the dashboard.
 */
export const FormattedText = ({ html }: { html: string }) =>
  createElement(
    'div',
    { className: classes.text, dir: 'auto' },
    ...Array.from(new DOMParser().parseFromString(html, 'text/html').body.childNodes, toReact),
  )
