/**
 * Sanitizes well-formed pages in one pass over their text. This takes a fraction of the time of building a tree.
 *
 * This sanitizer accepts a page only if a parser reads the page exactly as written. Elements must be in their places,
 * attributes must be simple, and only optional tags may be missing (omitted-ends.ts). This sanitizer removes markup
 * that is not allowed, but only the kinds that are frequent and easy to find. All other pages go to the sanitizer in
 * sanitize.ts. Both sanitizers use the same rules and the same writer.
 */
import { decodeHTML } from 'entities'
import { html as htmlNames } from 'parse5'
import { isRemovedWithContent, rulesFor, writtenName } from './allowed.ts'
import { keptAttributes } from './attributes.ts'
import { styleSheet } from './css.ts'
import { isDrawnInside } from './drawings.ts'
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
import { NotPlain, PlainMarkup } from './plain-markup.ts'
import { PageWriter, standardsDoctype } from './writer.ts'

const beginning = /^\ufeff?[ \t\n\f]*(?:(<!doctype html[ \t\n\f]*>)[ \t\n\f]*)?/i
const leadingSpace = /^[ \t\n\f]*/

/** The part of the document that is being read. */
type Place = 'start' | 'html' | 'head' | 'after head' | 'body' | 'after body' | 'end'

/** Whether an open element is written, loses its tags, or is removed with its content. */
type Fate = 'written' | 'unwrapped' | 'removed'

/** An open element. */
interface Open {
  name: string
  /** The element's name if its fate is `written`; otherwise, the name of the nearest outer element with this fate. */
  written: string
  fate: Fate
  flags: number
  depth: number
  /** Whether the source has no tags for this element. */
  implied: boolean
}

/** The top of the stack before any element is open. */
const noElement: Open = {
  name: '#document',
  written: '#document',
  fate: 'written',
  flags: 0,
  depth: 0,
  implied: true,
}

/** HTML elements that lose only their tags. Parsers treat these elements like elements that HTML does not define. */
const unwrapped = new Set(['label', 'legend', 'output', 'canvas', 'slot'])

/**
 * Whether two things are true of an element: only its tags are removed, and parsers treat it like a `span`.
 *
 * @param name the name of an element that is not allowed
 */
function isUnwrapped(name: string): boolean {
  const isUnknown = htmlNames.getTagID(name) === htmlNames.TAG_ID.UNKNOWN && !isRemovedWithContent(name)
  return isUnknown || unwrapped.has(name)
}

/**
 * Sanitizes a page if it is plain; see above.
 *
 * @returns undefined if it is not plain
 * @throws PageTooComplex as `sanitize` does
 */
export function sanitizePlain(html: string): string | undefined {
  if (html.includes('\0')) return undefined
  try {
    return new PlainReader(html).read()
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

class PlainReader extends PlainMarkup {
  private readonly page: PageWriter
  private readonly quirks: boolean
  private readonly stack: Open[] = []
  private place: Place = 'start'
  /** Whether a `<pre>` was just opened: parsers ignore one line feed there. */
  private ignoresLineFeed = false

  constructor(source: string) {
    // Turn every line break into a line feed, as parsers do.
    const html = source.replace(/\r\n?/g, '\n')
    const [begin = '', doctype] = beginning.exec(html) ?? []
    super(html, begin.length)
    this.page = new PageWriter(source.length)
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
      this.ignoresLineFeed = false
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

  private tag(): void {
    // Fast path for a common case: the shortest form of an end tag, such as `</p>`, closes the innermost element.
    const { name: open, implied } = this.top
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
    const { name, isEnd } = this.tagName()
    if (isEnd) this.endTag(name)
    else this.startTag(name, this.attributes())
  }

  private startTag(name: string, attributes: Attribute[]): void {
    const slash = this.tagEnd()
    if (this.top.fate === 'removed') this.drawing(name, slash)
    else if (name === 'svg' || name === 'script' || name === 'input') this.removed(name, slash)
    else this.element(name, attributes, slash)
  }

  private element(name: string, attributes: Attribute[], slash: string): void {
    const rules = rulesFor(name)
    if ((rules === undefined && !isUnwrapped(name)) || writtenName(name) !== name) throw new NotPlain()
    if (slash === '/' && !isVoid(name)) throw new NotPlain()
    this.enter(name)
    if (rules === undefined) {
      this.open(name, 'unwrapped')
      return
    }
    const kept = keptAttributes(name, attributes, rules)
    if (kept === undefined) return
    if (isVoid(name)) this.page.start(name, kept)
    else this.open(name, 'written', kept)
    if (name === 'style' || name === 'title') this.rawContent(name)
    this.ignoresLineFeed = name === 'pre'
  }

  /** Reads the start tag of an element that is removed with its content. */
  private removed(name: 'svg' | 'script' | 'input', slash: string): void {
    if (name === 'script') {
      // Parsers allow scripts in the same places as style sheets.
      this.enter('style')
      this.open(name, 'removed')
      this.rawContent(name)
      return
    }
    this.enter(name)
    if (name === 'svg' && slash !== '/') this.open(name, 'removed')
  }

  /** Reads a start tag inside SVG. */
  private drawing(name: string, slash: string): void {
    if (!isDrawnInside(name, this.top.name)) throw new NotPlain()
    if (slash !== '/') this.open(name, 'removed')
  }

  /**
   * Opens and closes elements as a parser does when it reads the start tag `name`.
   *
   * @throws NotPlain if a parser could move the new element, or if it is nested too deeply
   */
  private enter(name: string): void {
    this.enterDocument(name)
    const outer = this.outerFor(name)
    const stays = (parent: string) => staysInPlace(name, parent, outer.flags, this.quirks)
    if (outer.depth >= maxDepth || !stays(outer.name)) throw new NotPlain()
    // The element stays in its place in the source, but a parser that reads the written page could move it.
    if (outer.name !== outer.written && !stays(outer.written)) throw new NotPlain()
  }

  /** Opens the elements that must be open before `name`, if their tags were left out. */
  private enterDocument(name: string): void {
    if (this.place === 'start') {
      this.place = 'html'
      if (name === 'html') return
      this.open('html', 'written', [], true)
    }
    if (this.place === 'html') {
      this.place = 'head'
      if (name === 'head') return
      this.open('head', 'written', [], true)
    }
    if (this.place === 'head') {
      if (isHeadContent(name)) return
      this.close()
      this.place = 'after head'
    }
    if (this.place === 'after head') {
      if (isHeadContent(name)) throw new NotPlain()
      this.place = 'body'
      if (name !== 'body') this.open('body', 'written', [], true)
      return
    }
    if (this.place !== 'body') throw new NotPlain()
  }

  /**
   * Leaves the body, but closes no elements. A paragraph or list item at the end of the body can still be open. Parsers
   * keep this element open too, and add the white space after the body to it.
   */
  private leaveBody(place: 'after body' | 'end'): void {
    const last = this.stack.findLast(({ name }) => !hasImpliedEnd(name))
    if (last?.name !== 'body') throw new NotPlain()
    this.place = place
  }

  /**
   * Returns the element that will contain `name`. Closes elements whose end tags were omitted before `name`, and opens
   * the `tbody` or `colgroup` that `name` implies in a table.
   */
  private outerFor(name: string): Open {
    let outer = this.top
    while (closesBeforeStart(name, outer.name, outer.flags, this.quirks)) {
      this.close()
      outer = this.top
    }
    if (outer.name !== 'table' || (name !== 'tr' && name !== 'col')) return outer
    this.open(name === 'tr' ? 'tbody' : 'colgroup', 'written', [], true)
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

  private text(source: string): void {
    if (this.top.fate === 'removed') return
    const decoded = decodeHTML(source)
    const text = this.ignoresLineFeed && decoded.startsWith('\n') ? decoded.slice(1) : decoded
    if (text === '') return
    if (this.place === 'body') {
      this.write(text)
      return
    }
    // In some places outside the body, parsers treat a carriage return as white space. Only a character reference can
    // produce one.
    if (text.includes('\r')) throw new NotPlain()
    const [blank] = leadingSpace.exec(text) ?? ['']
    // White space is ignored before the head, and kept in the other places.
    if (this.place !== 'start' && this.place !== 'html') this.page.text(blank, false)
    if (blank.length === text.length) return
    this.enterDocument('#text')
    this.write(text.slice(blank.length))
  }

  private write(text: string): void {
    if (takesOnlyElements(this.top.name) && /[^\t\n\f ]/.test(text)) throw new NotPlain()
    this.page.text(text, false)
  }

  /** Reads the content of an element up to its end tag. The content of scripts is left out. */
  private rawContent(name: 'style' | 'title' | 'script'): void {
    const end = new RegExp(String.raw`</${name}(?=[\s/>])`, 'gi')
    end.lastIndex = this.at
    const found = end.exec(this.html)
    if (!found) throw new NotPlain()
    const content = this.html.slice(this.at, found.index)
    // After `<!--`, the first `</script>` is not always the end of the script.
    if (name === 'script' && content.includes('<!--')) throw new NotPlain()
    if (name === 'style') this.page.raw(styleSheet(content))
    if (name === 'title') this.page.text(decodeHTML(content), false)
    this.at = found.index
  }

  private open(name: string, fate: Fate, attributes: Attribute[] = [], implied = false): void {
    const { flags, depth, written } = this.top
    if (fate === 'written') {
      this.page.start(name, attributes)
      this.stack.push({
        name,
        written: name,
        fate,
        flags: openInside(name, flags),
        depth: depth + 1,
        implied,
      })
    } else this.stack.push({ name, written, fate, flags, depth, implied })
  }

  private close(): void {
    if (this.top.fate === 'written') this.page.end(this.top.name)
    this.stack.pop()
  }

  private get top(): Open {
    return this.stack.at(-1) ?? noElement
  }
}
