/**
 * Sanitizes well-formed pages in one pass over their text, at a fraction of the cost of building a tree.
 *
 * It accepts only pages that a parser reads exactly as they are written: allowed elements in their places, simple
 * attributes and references, and no tags missing except optional ones (omitted-ends.ts). It uses the same rules and the
 * same writer as the sanitizer for all other pages (sanitize.ts), which takes over whenever something is unusual.
 */
import { rulesFor, writtenName } from './allowed.ts'
import { keptAttributes } from './attributes.ts'
import { styleSheet } from './css.ts'
import type { Attribute } from './head.ts'
import {
  hasImpliedEnd,
  isHeadContent,
  isVoid,
  maxDepth,
  openInside,
  staysInPlace,
  takesOnlyElements,
} from './nesting.ts'
import { closesBeforeEnd, closesBeforeStart } from './omitted-ends.ts'
import { decodeSimple } from './references.ts'
import { PageWriter, standardsDoctype } from './writer.ts'

/** The page is not plain; thrown and caught in this file. */
class NotPlain extends Error {}

const space = String.raw`[ \t\n\f]`
const beginning = new RegExp(String.raw`^\ufeff?${space}*(?:(<!doctype html${space}*>)${space}*)?`, 'i')
const tagName = /<(\/?)([a-z][a-z0-9._-]*)/iy
const attribute = new RegExp(
  `${space}+([a-z][a-z0-9_:.@-]*)(?:${space}*=${space}*(?:"([^"]*)"|'([^']*)'|([^"'=<>\`\\s]+)))?`,
  'iy',
)
const tagEnd = new RegExp(`${space}*(/?)>`, 'y')
const leadingSpace = /^[ \t\n\f]*/

/** Pages with more attributes on one element are left to the parser, which finds duplicates in linear time. */
const maxAttributes = 30

/** The part of the document that is being read. */
type Place = 'start' | 'html' | 'head' | 'after head' | 'body' | 'after body' | 'end'

/** An open element; `implied` if it has no tags in the source. */
interface Open {
  name: string
  flags: number
  depth: number
  implied: boolean
}

/**
 * Sanitizes a page if it is plain; see above.
 *
 * @returns undefined if it is not plain
 * @throws PageTooComplex as `sanitize` does
 */
export function sanitizePlain(html: string): string | undefined {
  if (/[\0\r]/.test(html)) return undefined
  try {
    return new PlainReader(html).read()
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

class PlainReader {
  private readonly html: string
  private readonly page: PageWriter
  private readonly quirks: boolean
  private readonly stack: Open[] = []
  private at: number
  private place: Place = 'start'

  constructor(html: string) {
    this.html = html
    this.page = new PageWriter(html.length)
    const [begin = '', doctype] = beginning.exec(html) ?? []
    this.at = begin.length
    this.quirks = doctype === undefined
    if (doctype !== undefined) this.page.doctype(standardsDoctype)
  }

  read(): string {
    const { html } = this
    while (this.at < html.length) {
      const next = html.indexOf('<', this.at)
      if (next !== this.at) this.text(html.slice(this.at, next === -1 ? html.length : next))
      this.at = next === -1 ? html.length : next
      if (next === -1) break
      if (html.startsWith('<!--', next)) this.comment()
      else this.tag()
    }
    return this.finish()
  }

  private finish(): string {
    if (this.place === 'body') this.leaveBody('end')
    if (this.place !== 'after body' && this.place !== 'end') throw new NotPlain()
    while (this.stack.length > 0) this.close()
    return this.page.finish()
  }

  private comment(): void {
    const begin = this.at + 4
    const end = this.html.indexOf('-->', begin)
    if (end === -1) throw new NotPlain()
    const content = this.html.slice(begin, end)
    if (/^-?>|--!>/.test(content)) throw new NotPlain()
    this.at = end + 3
  }

  private tag(): void {
    // Fast path: most tags are end tags in their shortest form.
    const { name: open, implied } = this.stack.at(-1) ?? { name: '', implied: true }
    if (
      !implied &&
      this.html.startsWith(`/${open}>`, this.at + 1) &&
      this.place === 'body' &&
      open !== 'body'
    ) {
      this.at += open.length + 3
      this.close()
      return
    }
    const [found, slash, written] = this.match(tagName)
    this.at += found.length
    const name = written!.toLowerCase()
    if (slash === '/') this.endTag(name)
    else this.startTag(name, this.attributes())
  }

  /** Reads the end of a tag and returns its slash, if any. */
  private tagEnd(): string {
    if (this.html[this.at] === '>') {
      this.at += 1
      return ''
    }
    const [end, slash = ''] = this.match(tagEnd)
    this.at += end.length
    return slash
  }

  private attributes(): Attribute[] {
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
      found.push({ name: lower, value: decoded(double ?? single ?? bare ?? '', true) })
    }
  }

  private startTag(name: string, attributes: Attribute[]): void {
    const slash = this.tagEnd()
    const rules = rulesFor(name)
    if (rules === undefined || writtenName(name) !== name || (slash === '/' && !isVoid(name))) {
      throw new NotPlain()
    }
    this.enterDocument(name)
    const outer = this.outerFor(name)
    if (outer.depth >= maxDepth || !staysInPlace(name, outer.name, outer.flags, this.quirks)) {
      throw new NotPlain()
    }
    const kept = keptAttributes(name, attributes, rules)
    if (kept === undefined) return
    if (isVoid(name)) this.page.start(name, kept)
    else this.open(name, kept)
    if (name === 'style' || name === 'title') this.rawContent(name)
    // Parsers ignore a line feed that follows the tag.
    if (name === 'pre' && this.html[this.at] === '\n') this.at += 1
  }

  /** Opens the elements that must be open before `name`, if their tags were left out. */
  private enterDocument(name: string): void {
    if (this.place === 'start') {
      this.place = 'html'
      if (name === 'html') return
      this.open('html', [], true)
    }
    if (this.place === 'html') {
      this.place = 'head'
      if (name === 'head') return
      this.open('head', [], true)
    }
    if (this.place === 'head') {
      if (isHeadContent(name)) return
      this.close()
      this.place = 'after head'
    }
    if (this.place === 'after head') {
      if (isHeadContent(name)) throw new NotPlain()
      this.place = 'body'
      if (name !== 'body') this.open('body', [], true)
      return
    }
    if (this.place !== 'body') throw new NotPlain()
  }

  /** Leaves the body. Parsers keep its last items and paragraphs open: white space that follows belongs to them. */
  private leaveBody(place: 'after body' | 'end'): void {
    const last = this.stack.findLast(({ name }) => !hasImpliedEnd(name))
    if (last?.name !== 'body') throw new NotPlain()
    this.place = place
  }

  /**
   * Returns the element that will contain `name`. Closes elements whose end tags were omitted before it, and opens the
   * part of a table that it implies.
   */
  private outerFor(name: string): Open {
    let outer = this.stack.at(-1) ?? { name: '#document', flags: 0, depth: 0, implied: false }
    while (closesBeforeStart(name, outer.name, outer.flags, this.quirks)) {
      this.close()
      outer = this.top
    }
    if (outer.name !== 'table' || (name !== 'tr' && name !== 'col')) return outer
    this.open(name === 'tr' ? 'tbody' : 'colgroup', [], true)
    return this.top
  }

  private endTag(name: string): void {
    if (this.tagEnd() === '/') throw new NotPlain()
    if (this.place === 'body' && (name === 'body' || name === 'html')) {
      this.leaveBody(name === 'body' ? 'after body' : 'end')
      return
    }
    if (name === 'html' && this.place === 'after body') {
      this.place = 'end'
      return
    }
    if (this.place !== 'body' && this.place !== 'head') throw new NotPlain()
    while (closesBeforeEnd(name, this.top.name)) this.close()
    if (this.top.name !== name || this.top.implied || name === 'body') throw new NotPlain()
    this.close()
    if (name === 'head') this.place = 'after head'
  }

  private text(written: string): void {
    if (this.place === 'body') {
      this.write(written)
      return
    }
    const [blank] = leadingSpace.exec(written) ?? ['']
    // White space is ignored before the head, and kept in the other places.
    if (this.place === 'head' || this.place === 'after head') this.page.text(blank, false)
    if (this.place === 'after body' || this.place === 'end') this.page.text(blank, false)
    if (blank.length === written.length) return
    this.enterDocument('#text')
    this.write(written.slice(blank.length))
  }

  private write(written: string): void {
    const text = decoded(written, false)
    if (takesOnlyElements(this.top.name) && /[^\t\n\f ]/.test(text)) throw new NotPlain()
    this.page.text(text, false)
  }

  /** Reads the content of a style sheet or title up to its end tag. */
  private rawContent(name: 'style' | 'title'): void {
    const end = new RegExp(String.raw`</${name}(?=[\s/>])`, 'gi')
    end.lastIndex = this.at
    const found = end.exec(this.html)
    if (!found) throw new NotPlain()
    const content = this.html.slice(this.at, found.index)
    if (name === 'style') this.page.raw(styleSheet(content))
    else this.page.text(decoded(content, false), false)
    this.at = found.index
  }

  private open(name: string, attributes: Attribute[], implied = false): void {
    const { flags, depth } = this.stack.at(-1) ?? { flags: 0, depth: 0 }
    this.page.start(name, attributes)
    this.stack.push({ name, flags: openInside(name, flags), depth: depth + 1, implied })
  }

  private close(): void {
    this.page.end(this.top.name)
    this.stack.pop()
  }

  private get top(): Open {
    const top = this.stack.at(-1)
    if (!top) throw new NotPlain()
    return top
  }

  private match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.html)
    if (!match) throw new NotPlain()
    return match
  }
}

function decoded(value: string, isAttribute: boolean): string {
  const text = decodeSimple(value, isAttribute)
  if (text === undefined) throw new NotPlain()
  return text
}
