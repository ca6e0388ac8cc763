/**
 * Which addresses a static page may carry (contract: page kind `static`; no address that runs script).
 * Each rule takes an attribute's value and gives the value to keep, or undefined when the attribute has to go.
 */

/** A rule for one attribute: the value to write, or undefined to leave the attribute out. */
export type ValueRule = (value: string) => string | undefined

/**
 * Schemes a link may lead to: the web itself, and those HTML lists as safe to hand to another program.
 * Whatever is not here (`javascript`, `vbscript`, `data`, `blob`, `file`, `about`, …) is refused.
 */
const linkSchemes = new Set(
  `http https mailto tel sms smsto sip sips xmpp irc ircs im matrix geo magnet news nntp webcal
   openpgp4fpr bitcoin urn ftp ftps sftp ssh`.split(/\s+/),
)

/** Schemes that content shown inside the page may be loaded from. */
const loadSchemes = new Set(['http', 'https'])

// A picture's SVG is left out here: an <img> can be opened as a document of its own, where SVG is markup again.
const rasterData = /^data:image\/(?:a?png|gif|jpe?g|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)[;,]/i
const mediaData = /^data:(?:audio|video)\/[a-z0-9.+-]+[;,]/i
// Neither a style sheet's pictures nor a favicon ever become documents, so every kind of image is fine there.
const imageData = /^data:image\/[a-z0-9.+-]+[;,]/i
const styleData =
  /^data:(?:image\/[a-z0-9.+-]+|font\/[a-z0-9.+-]+|text\/css|application\/(?:x-)?font-[a-z0-9.+-]+|application\/(?:octet-stream|vnd\.ms-fontobject))[;,]/i

/**
 * The address as a browser reads it before looking for a scheme: tabs and line ends vanish wherever they stand,
 * spaces and control characters vanish in front (WHATWG URL, "basic URL parser").
 */
function asBrowserReads(value: string): string {
  // Everything below "!" is a space or a control character.
  return value.replace(/[\t\n\r]+/g, '').replace(/^[^!-\uffff]+/, '')
}

/** The scheme of an address as a browser would find it, in lower case; undefined for a relative address. */
export function schemeOf(value: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(asBrowserReads(value))?.[1]?.toLowerCase()
}

function isAllowed(value: string, schemes: ReadonlySet<string>, data?: RegExp): boolean {
  const scheme = schemeOf(value)
  if (scheme === undefined || schemes.has(scheme)) return true
  return scheme === 'data' && data !== undefined && data.test(asBrowserReads(value))
}

function rule(schemes: ReadonlySet<string>, data?: RegExp): ValueRule {
  return value => (isAllowed(value, schemes, data) ? value : undefined)
}

/** Something a reader follows, or that only names a source: `href` of a link, `cite`, `longdesc`, `itemid`. */
export const link = rule(linkSchemes)

/** A picture in the page: http(s), relative, or a raster image in a `data:` address. */
export const picture = rule(loadSchemes, rasterData)

/** Sound or film: http(s), relative, or audio and video in a `data:` address. */
export const media = rule(loadSchemes, mediaData)

/** What a `<link>` in the head loads: http(s), relative, or an image in a `data:` address (a favicon). */
export const resource = rule(loadSchemes, imageData)

/** What a style sheet refers to: http(s), relative, or images, fonts and sheets in a `data:` address. */
export const styleResource = rule(loadSchemes, styleData)

/** A list of links separated by white space, which some readers take for a single one; a bad link takes it all. */
export const links: ValueRule = value =>
  [value, ...value.split(/[\t\n\f\r ]+/)].every(part => link(part) !== undefined) ? value : undefined

/** A place in the same document, such as an image map. */
export const samePage: ValueRule = value => (value.startsWith('#') ? value : undefined)

/**
 * Candidate pictures with their sizes (`srcset`); one bad candidate takes the attribute with it.
 *
 * A `data:` address holds commas itself, so cutting at commas and cutting at white space read it differently.
 * Every way of cutting, and not cutting, has to find nothing but allowed addresses.
 */
export const srcset: ValueRule = value => {
  const parts = value.split(/[\t\n\f\r ,]+/).filter(part => part !== '')
  const candidates = value.split(/[\t\n\f\r ]+/).map(part => part.replace(/^,+/, ''))
  const fine = [value, ...parts, ...candidates].every(part => isAllowed(part, loadSchemes, rasterData))
  return fine ? value : undefined
}
