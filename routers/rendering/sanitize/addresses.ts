/** Which addresses a static page may contain (contract: page kind `static`). No address may run a script. */

/** A rule for one attribute: takes its value and returns the value to write, or undefined to remove the attribute. */
export type ValueRule = (value: string) => string | undefined

/**
 * Schemes allowed in links: the schemes of the web, schemes that the HTML standard lists as safe for other programs to
 * handle, and identifiers of resources and people. Links with other schemes (`javascript`, `vbscript`, `data`, `blob`,
 * `file`, `about`, and schemes that make other programs act, such as `ms-msdt`) are removed.
 */
const linkSchemes = new Set(
  `http https mailto tel sms smsto sip sips xmpp irc ircs irc6 im matrix geo magnet news nntp snews webcal
   openpgp4fpr bitcoin bitcoincash ethereum lightning litecoin monero dogecoin urn ftp ftps sftp ssh mms mmsto
   acct at did dns doi finger gemini git gopher hdl info ipfs ipns isbn mid nostr podcast rsync rtsp spotify
   svn tag telnet dat hyper payto skype callto facetime whatsapp tg viber threema mumble ts3server
   zoommtg steam market itms itms-apps`.split(/\s+/),
)

/** Schemes that websites can register. Browsers open a link with such a scheme on the website that registered it. */
const webScheme = /^web\+[a-z]+$/

/** Schemes that a page may load images, media and style sheets from. */
const loadSchemes = new Set(['http', 'https'])

// No SVG: a reader can open an <img> as a document, where SVG can run scripts.
const rasterData = /^data:image\/(?:a?png|gif|jpe?g|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)[;,]/i
const mediaData = /^data:(?:audio|video)\/[a-z0-9.+-]+[;,]/i
// Favicons and images in style sheets never become documents, so every image type is safe there.
const imageData = /^data:image\/[a-z0-9.+-]+[;,]/i
const styleData =
  /^data:(?:image\/[a-z0-9.+-]+|font\/[a-z0-9.+-]+|text\/css|application\/(?:x-)?font-[a-z0-9.+-]+|application\/(?:octet-stream|vnd\.ms-fontobject))[;,]/i

/**
 * Normalizes an address as browsers do before they look for a scheme: removes tabs and line breaks everywhere, and
 * leading spaces and control characters (WHATWG URL, "basic URL parser").
 */
function normalized(value: string): string {
  // Everything below "!" is a space or a control character.
  return value.replace(/[\t\n\r]+/g, '').replace(/^[^!-\uffff]+/, '')
}

/** The scheme of an address as browsers read it, in lower case; undefined for a relative address. */
export function schemeOf(value: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(normalized(value))?.[1]?.toLowerCase()
}

function isAllowed(value: string, schemes: ReadonlySet<string>, data?: RegExp): boolean {
  const scheme = schemeOf(value)
  if (scheme === undefined || schemes.has(scheme)) return true
  if (schemes === linkSchemes && webScheme.test(scheme)) return true
  return scheme === 'data' && data !== undefined && data.test(normalized(value))
}

function rule(schemes: ReadonlySet<string>, data?: RegExp): ValueRule {
  return value => (isAllowed(value, schemes, data) ? value : undefined)
}

/** A link, or another address that browsers do not load by themselves: `href`, `cite`, `longdesc`, `itemid`. */
export const link = rule(linkSchemes)

/** An image: http(s), relative, or a raster image in a `data:` address. */
export const picture = rule(loadSchemes, rasterData)

/** Audio or video: an http(s) address, a relative address, or a `data:` address with audio or video. */
export const media = rule(loadSchemes, mediaData)

/** The target of a `<link>` in the head: http(s), relative, or an image in a `data:` address (a favicon). */
export const resource = rule(loadSchemes, imageData)

/** An address in a style sheet: http(s), relative, or images, fonts and style sheets in a `data:` address. */
export const styleResource = rule(loadSchemes, styleData)

/**
 * A list of links separated by white space. Some clients read the whole value as one link, so the whole value is
 * checked too. One bad link removes the attribute.
 */
export const links: ValueRule = value =>
  [value, ...value.split(/[\t\n\f\r ]+/)].every(part => link(part) !== undefined) ? value : undefined

/** A fragment of the same document, such as an image map. */
export const samePage: ValueRule = value => (value.startsWith('#') ? value : undefined)

/**
 * Candidate images with their sizes (`srcset`); one bad candidate removes the attribute.
 *
 * A `data:` address can contain commas, so splitting at commas and splitting at white space give different results.
 * The addresses must be allowed whichever way the value is split.
 */
export const srcset: ValueRule = value => {
  const parts = value.split(/[\t\n\f\r ,]+/).filter(part => part !== '')
  const candidates = value.split(/[\t\n\f\r ]+/).map(part => part.replace(/^,+/, ''))
  const fine = [value, ...parts, ...candidates].every(part => isAllowed(part, loadSchemes, rasterData))
  return fine ? value : undefined
}
