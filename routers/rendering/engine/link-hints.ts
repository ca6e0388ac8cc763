import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import type { LinkHint } from '../../api/renderer.ts'
import { originOfAddress, type Source } from './origins.ts'
import type { Site } from './site.ts'
import { closestTo } from './suggest.ts'

/** Maximum number of hints for one document, and the maximum length of an address in a hint, in characters. */
const MAX_HINTS = 20
const LONGEST_ADDRESS = 100

/** Maximum number of characters of a document that are checked. */
const SEARCHED = 1_048_576

/**
 * The attributes with an address, by element. The first two elements link to pages, and a form sends its values to one;
 * the others load resources.
 */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['form', 'action'],
  ['img', 'src'],
  ['script', 'src'],
  ['link', 'href'],
  ['source', 'src'],
  ['video', 'src'],
  ['audio', 'src'],
])
const LINKS = new Set(['a', 'area'])

/** Elements whose content is text, not markup. */
export const TEXT_ELEMENTS: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['plaintext', TokenizerMode.PLAINTEXT],
  ['noscript', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
])

/** Paths that the site serves besides pages. Paths that begin with `_` or `sitemap-` are checked separately. */
const OTHER_PATHS = new Set(['', 'articles', 'articles.atom', 'sitemap.xml', 'robots.txt', 'favicon.ico'])

interface Found {
  element: string
  value: string
  hasTarget: boolean
}

/**
 * Finds links of a rendered document that do not work: links to missing pages or to missing ids on the page, and files
 * that are addressed by name instead of by URL. Also finds links and forms whose other websites would open inside
 * the frame of a scripted page.
 *
 * @param page the page's address and kind; scripted pages run in a frame
 * @param sources where the links can be written; see {@link originOfAddress}
 */
export function linkHints(
  html: string,
  site: Site,
  page: { url: string; kind: 'scripted' | 'static' },
  sources: readonly Source[],
): LinkHint[] {
  const reader = new LinkReader()
  reader.tokenizer.write(html.slice(0, SEARCHED), true)
  const check = new LinkCheck(site, page, reader)
  const hints = new Map<string, LinkHint>()
  for (const found of reader.found) {
    const hint = check.hintFor(found)
    if (!hint) continue
    const known = hints.get(hint.message)
    if (known) known.count += 1
    else if (hints.size < MAX_HINTS)
      hints.set(hint.message, { ...hint, count: 1, ...originOfAddress(found.value, sources) })
  }
  return [...hints.values()]
}

type Finding = Pick<LinkHint, 'message' | 'nearest'>

class LinkReader implements TokenHandler {
  readonly tokenizer: Tokenizer = new Tokenizer({}, this)
  readonly found: Found[] = []
  /** The values of `id`, and of `name` on links. */
  readonly places = new Set<string>()
  base: { href?: string | undefined; hasTarget: boolean } = { hasTarget: false }

  onStartTag({ tagName, attrs }: Token.TagToken): void {
    const attribute = (name: string) => attrs.find(attr => attr.name === name)?.value
    const mode = TEXT_ELEMENTS.get(tagName)
    if (mode !== undefined) {
      this.tokenizer.state = mode
      this.tokenizer.lastStartTagName = tagName
    }
    for (const place of [attribute('id'), tagName === 'a' ? attribute('name') : undefined])
      if (place) this.places.add(place)
    const hasTarget = attribute('target') !== undefined
    if (tagName === 'base') this.base = { href: this.base.href ?? attribute('href'), hasTarget }
    const name = ADDRESSES.get(tagName)
    const value = name === undefined ? undefined : attribute(name)
    if (value !== undefined) this.found.push({ element: tagName, value: value.trim(), hasTarget })
  }

  onEndTag(): void {}
  onCharacter(): void {}
  onWhitespaceCharacter(): void {}
  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
}

class LinkCheck {
  private readonly reader: LinkReader
  private readonly isScripted: boolean
  private readonly origins: ReadonlySet<string>
  private readonly url: URL
  private readonly base: string
  private readonly slugs: ReadonlySet<string>
  private readonly fileNames: ReadonlySet<string>

  constructor(site: Site, page: { url: string; kind: 'scripted' | 'static' }, reader: LinkReader) {
    const { href } = reader.base
    this.origins = site.origins
    this.reader = reader
    this.isScripted = page.kind === 'scripted'
    this.url = new URL(page.url)
    this.base = href !== undefined && URL.canParse(href, page.url) ? new URL(href, page.url).href : page.url
    this.slugs = new Set(site.slugs)
    this.fileNames = new Set(site.fileNames)
  }

  hintFor({ element, value, hasTarget }: Found): Finding | undefined {
    const isForm = element === 'form'
    // The sanitizer removes the forms of a static page. A form without an address sends to its own page.
    if (isForm && (!this.isScripted || value === '')) return undefined
    const isLink = LINKS.has(element) || isForm
    if (value === '')
      return isLink
        ? undefined
        : plain(`The address of an <${element}> is empty. A file that the template looks up may not exist.`)
    if (!URL.canParse(value, this.base)) return plain(`“${clip(value)}” is not an address.`)
    const url = new URL(value, this.base)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
    if (this.origins.has(url.origin))
      return isLink
        ? this.checkLink(url, value, isForm ? 'form' : 'link')
        : this.checkFile(url, value, element)
    const opensInFrame = isLink && this.isScripted && !hasTarget && !this.reader.base.hasTarget
    return opensInFrame
      ? plain(
          `${isForm ? 'The response to a form for' : 'A link to'} another website opens inside the frame of this scripted page. Add target="_top" to it, or <base target="_top"> to the head.`,
        )
      : undefined
  }

  private checkLink(url: URL, value: string, what: 'form' | 'link'): Finding | undefined {
    const path = pathOf(url)
    const isSamePage = url.pathname === this.url.pathname
    if (!isSamePage && !this.exists(path))
      return {
        message: `The ${what} “${clip(value)}” leads nowhere: the site has no page “${clip(path)}”.`,
        nearest: closestTo(clip(path.replace(/\.html?$/, '')), this.slugs) ?? null,
      }
    const place = decoded(url.hash.slice(1))
    // On a scripted page, a script can add an element whose id is `place`.
    if (!isSamePage || this.isScripted || place === '' || place === 'top' || this.reader.places.has(place))
      return undefined
    return {
      message: `The link “${clip(value)}” leads nowhere: no element of the page has the id “${clip(place)}”.`,
      nearest: closestTo(clip(place), this.reader.places) ?? null,
    }
  }

  private checkFile(url: URL, value: string, element: string): Finding | undefined {
    const path = pathOf(url)
    if (OTHER_PATHS.has(path) || path.startsWith('_') || (element === 'link' && this.exists(path)))
      return undefined
    const name = path.slice(path.lastIndexOf('/') + 1)
    const exists = this.fileNames.has(name)
    return {
      message: `<${element}> cannot load “${clip(value)}”: each file has its own URL. ${
        exists ? 'Use' : 'Upload the file, then use'
      } {% assign f = files | where: "name", "${clip(name)}" | first %}{{ f.url }}.`,
      nearest: exists ? null : (closestTo(clip(name), this.fileNames) ?? null),
    }
  }

  private exists(path: string): boolean {
    return (
      this.slugs.has(path) || OTHER_PATHS.has(path) || path.startsWith('_') || path.startsWith('sitemap-')
    )
  }
}

const plain = (message: string) => ({ message, nearest: null })
const pathOf = ({ pathname }: URL) => decoded(pathname.slice(1))
const clip = (text: string) => text.slice(0, LONGEST_ADDRESS).toWellFormed()

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
