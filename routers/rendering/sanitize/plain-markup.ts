import { decodeHTMLAttribute } from 'entities'
import type { Attribute } from './head.ts'

/** The page is not plain, so the sanitizer for all other pages takes over. */
export class NotPlain extends Error {}

const space = String.raw`[ \t\n\f]`
const tagName = /<(\/?)([a-z][a-z0-9._-]*)/iy
const attribute = new RegExp(
  `${space}+([a-z@:_][a-z0-9_:.@-]*)(?:${space}*=${space}*(?:"([^"]*)"|'([^']*)'|([^"'=<>\`\\s]+)))?`,
  'iy',
)
const tagEnd = new RegExp(`${space}*(/?)>`, 'y')

/**
 * Maximum number of attributes on an element of a plain page. Finding duplicate attributes takes quadratic time here.
 * The parser, which reads all other pages, needs only linear time.
 */
const maxAttributes = 30

/** Reads tags and comments at a position of a page. */
export class PlainMarkup {
  protected readonly html: string
  protected at: number

  constructor(html: string, at: number) {
    this.html = html
    this.at = at
  }

  /** Skips a comment. */
  protected comment(): void {
    const begin = this.at + 4
    const end = this.html.indexOf('-->', begin)
    if (end === -1) throw new NotPlain()
    const content = this.html.slice(begin, end)
    if (/^-?>|--!>/.test(content)) throw new NotPlain()
    this.at = end + 3
  }

  /** Reads the beginning of a tag, up to its name. */
  protected tagName(): { name: string; isEnd: boolean } {
    const [found, slash, written] = this.match(tagName)
    this.at += found.length
    return { name: written!.toLowerCase(), isEnd: slash === '/' }
  }

  /** Reads the end of a tag and returns its slash, if any. */
  protected tagEnd(): string {
    if (this.html[this.at] === '>') {
      this.at += 1
      return ''
    }
    const [end, slash = ''] = this.match(tagEnd)
    this.at += end.length
    return slash
  }

  protected attributes(): Attribute[] {
    if (this.html[this.at] === '>') return []
    const found: Attribute[] = []
    for (;;) {
      attribute.lastIndex = this.at
      const match = attribute.exec(this.html)
      if (!match) return found
      const [text, name = '', double, single, bare] = match
      this.at += text.length
      if (found.length >= maxAttributes) throw new NotPlain()
      const lower = name.toLowerCase()
      if (found.some(other => other.name === lower)) continue
      found.push({ name: lower, value: decodeHTMLAttribute(double ?? single ?? bare ?? '') })
    }
  }

  private match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.html)
    if (!match) throw new NotPlain()
    return match
  }
}
