/** Which `<meta>` and `<link>` elements a static page keeps, once their attributes have passed their own rules. */
import { link, schemeOf } from './addresses.ts'

/** An attribute as it is written out. */
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

/** Descriptions for other sites that show a card of the page (Open Graph and its kin). */
const cardName = /^(?:og|article|book|profile|music|video|fb|twitter):[a-z_:]+$/

/** Names of cards whose content is an address. */
const cardAddress = /:(?:url|secure_url|image|video|audio|player|src|author|publisher|see_also)$/

/** A description is no address, but some readers of cards take it for one. */
const runsSomething = new Set(['javascript', 'vbscript', 'data'])

const written = (attributes: readonly Attribute[], name: string): string | undefined =>
  attributes.find(attribute => attribute.name === name)?.value

/**
 * Whether a `<meta>` describes the page without acting on it. `source` are the attributes as the author wrote them:
 * an `http-equiv` beside a harmless name is still an instruction, so it takes the element with it.
 */
export function keepsMeta(source: readonly Attribute[]): boolean {
  if (written(source, 'http-equiv') !== undefined) return false
  const content = written(source, 'content') ?? ''
  if (runsSomething.has(schemeOf(content) ?? '')) return false
  if (written(source, 'charset') !== undefined) return true
  const name = (written(source, 'name') ?? written(source, 'property') ?? '').trim().toLowerCase()
  if (cardAddress.test(name) && link(content) === undefined) return false
  return metaNames.has(name) || cardName.test(name) || written(source, 'itemprop') !== undefined
}

/** Whether a `<link>` still says what it links to and how; `kept` are the attributes that passed their rules. */
export function keepsLink(kept: readonly Attribute[]): boolean {
  return written(kept, 'rel') !== undefined && written(kept, 'href') !== undefined
}
