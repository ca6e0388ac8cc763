/** Which `<meta>` and `<link>` elements of a static page are kept, after the rules for their attributes. */
import { link, schemeOf } from './addresses.ts'

/** An attribute as written to the output. */
export type Attribute = { name: string; value: string }

const metaNames = new Set([
  'application-name',
  'apple-mobile-web-app-title',
  'author',
  'color-scheme',
  'creator',
  'description',
  'format-detection',
  'generator',
  'google-site-verification',
  'googlebot',
  'keywords',
  'msvalidate.01',
  'publisher',
  'referrer',
  'robots',
  'theme-color',
  'viewport',
])

/** Properties for link previews on other sites (Open Graph and similar). */
const cardName = /^(?:og|article|book|profile|music|video|fb|twitter):[a-z_:]+$/

/** Link preview properties whose content is an address. */
const cardAddress = /:(?:url|secure_url|image|video|audio|player|src|author|publisher|see_also)$/

/** Schemes not allowed in any content, because some clients treat it as an address. */
const activeSchemes = new Set(['javascript', 'vbscript', 'data'])

const attributeOf = (attributes: readonly Attribute[], name: string): string | undefined =>
  attributes.find(attribute => attribute.name === name)?.value

/**
 * Whether a `<meta>` only describes the page. `source` is the attributes as the author wrote them, because an
 * `http-equiv` next to a harmless name is still an instruction to the browser.
 */
export function keepsMeta(source: readonly Attribute[]): boolean {
  if (attributeOf(source, 'http-equiv') !== undefined) return false
  const content = attributeOf(source, 'content') ?? ''
  if (activeSchemes.has(schemeOf(content) ?? '')) return false
  if (attributeOf(source, 'charset') !== undefined) return true
  const name = (attributeOf(source, 'name') ?? attributeOf(source, 'property') ?? '').trim().toLowerCase()
  if (cardAddress.test(name) && link(content) === undefined) return false
  return metaNames.has(name) || cardName.test(name) || attributeOf(source, 'itemprop') !== undefined
}

/** Whether a `<link>` still has a relation and an address; `kept` is the attributes that passed their rules. */
export function keepsLink(kept: readonly Attribute[]): boolean {
  return attributeOf(kept, 'rel') !== undefined && attributeOf(kept, 'href') !== undefined
}
