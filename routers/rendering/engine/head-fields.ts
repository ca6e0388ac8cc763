import type { HeadLink, HeadMeta } from '../../api/renderer.ts'

/**
 * Maximum length of a text field, of an address and of a `data:` image in a head, in characters. Longer text is
 * shortened; longer addresses and images are dropped.
 */
const MAX_TEXT = 300
const MAX_ADDRESS = 2048
const MAX_IMAGE = 8192

/** Names of `meta` elements that only describe the document. */
const NAMES = new Set([
  'description',
  'author',
  'application-name',
  'apple-mobile-web-app-title',
  'theme-color',
  'color-scheme',
  'robots',
  'googlebot',
  'google-site-verification',
  'msvalidate.01',
  'yandex-verification',
  'facebook-domain-verification',
  'p:domain_verify',
])

/** Vocabularies for link previews. Documents use them in `name` or in `property`. */
const VOCABULARY = /^(?:og|article|profile|book|music|video|twitter|fediverse|fb):[\w:-]{1,60}$/

/** Fields of these vocabularies whose content is an address. */
const IS_ADDRESS =
  /^(?:og:(?:url|(?:image|video|audio)(?::(?:url|secure_url))?)|twitter:(?:url|player|image(?::src)?))$/

/** Allowed relations of a `link`. None of them loads anything that could run or restyle the document. */
const RELATIONS = new Set([
  'icon',
  'apple-touch-icon',
  'mask-icon',
  'canonical',
  'alternate',
  'author',
  'license',
  'me',
  'webmention',
  'next',
  'prev',
])

/** Collapses white space and shortens a string. Returns null if it is empty. */
export function tidy(text: string | null | undefined): string | null {
  const tidied = text
    ?.slice(0, MAX_TEXT * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return tidied ? tidied.slice(0, MAX_TEXT).toWellFormed() : null
}

/** A language tag, or null. */
export const language = (text: string | undefined): string | null =>
  text !== undefined && /^[a-z]{1,8}(?:-[a-z\d]{1,8}){0,4}$/i.test(text) ? text : null

/** A text direction, or null. */
export const direction = (text: string | undefined): 'ltr' | 'rtl' | 'auto' | null => {
  const value = text?.toLowerCase()
  return value === 'ltr' || value === 'rtl' || value === 'auto' ? value : null
}

/** An absolute http(s) address, or null. */
export function address(text: string | undefined, base: string): string | null {
  if (text === undefined || text.length > MAX_ADDRESS || !URL.canParse(text.trim(), base)) return null
  const { protocol, href } = new URL(text.trim(), base)
  return (protocol === 'http:' || protocol === 'https:') && href.length <= MAX_ADDRESS ? href : null
}

/** Returns an attribute of the element, or undefined if it is missing. */
export type Attributes = (name: string) => string | undefined

/** Returns a `meta` element that the document around a page's frame may copy; null for any other element. */
export function headMeta(attribute: Attributes, base: string): HeadMeta | null {
  const key = attribute('property') === undefined ? 'name' : 'property'
  const name = attribute(key)?.trim().toLowerCase() ?? ''
  if (!VOCABULARY.test(name) && (key === 'property' || !NAMES.has(name))) return null
  const text = attribute('content')
  const content = IS_ADDRESS.test(name) ? address(text, base) : tidy(text)
  const media = name === 'theme-color' ? tidy(attribute('media')) : null
  return content ? { key, name, content, ...(media ? { media } : {}) } : null
}

/** Returns a `link` element that the document around a page's frame may copy; null for any other element. */
export function headLink(attribute: Attributes, base: string): HeadLink | null {
  const words = attribute('rel')?.toLowerCase().trim().split(/\s+/) ?? []
  // Browsers read `shortcut icon` as `icon`.
  const relations = words.filter(word => word !== 'shortcut')
  if (relations.length === 0 || !relations.every(word => RELATIONS.has(word))) return null
  const target = attribute('href')
  const href = isImage(target) && relations.includes('icon') ? target : address(target, base)
  if (!href) return null
  const more = Object.fromEntries(
    (['type', 'title', 'sizes', 'media', 'hreflang', 'color'] as const).flatMap(name => {
      const value = tidy(attribute(name))
      return value ? [[name, value]] : []
    }),
  )
  return { rel: relations.join(' '), href, ...more }
}

/** Whether an address is an image in a `data:` URL. Icons never become documents, so every image type is safe. */
const isImage = (text: string | undefined): text is string =>
  text !== undefined && text.length <= MAX_IMAGE && /^data:image\/[a-z\d.+-]+[;,]/i.test(text)

/** The text as compact JSON, or null if it is not JSON. */
export function json(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return null
  }
}
