/** Writes HTML in one form: quoted attributes, escaped text, every end tag. */
import { html as htmlNames } from 'parse5'
import { FlatText } from '../flat-text.ts'
import { longestOutput, PageTooComplex } from './bounds.ts'
import type { Attribute } from './head.ts'

// A carriage return must be written as a reference; otherwise parsers read it as a line feed.
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
  '\r': '&#13;',
}

const escapeText = (text: string): string => text.replace(/[&<>\u00a0\r]/g, char => references[char] ?? '')
const escapeValue = (text: string): string => text.replace(/[&<>"\u00a0\r]/g, char => references[char] ?? '')

/**
 * A doctype only selects one of three rendering modes, so one doctype for each mode is enough; no doctype means quirks
 * mode.
 */
const doctypes: Readonly<Record<string, string>> = {
  [htmlNames.DOCUMENT_MODE.NO_QUIRKS]: '<!DOCTYPE html>',
  [htmlNames.DOCUMENT_MODE.LIMITED_QUIRKS]:
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
}

/** The rendering mode of pages with `<!DOCTYPE html>`. */
export const standardsDoctype = htmlNames.DOCUMENT_MODE.NO_QUIRKS

/** Collects the output of a page. Throws PageTooComplex when the output becomes far longer than the source. */
export class PageWriter {
  private readonly page = new FlatText()
  private left: number
  /** Whether a `<pre>` was just opened: parsers ignore one line feed there. */
  private afterPre = false
  private hasBody = false

  /** @param sourceLength length of the source in UTF-16 units, which determines the limit */
  constructor(sourceLength: number) {
    this.left = longestOutput(sourceLength)
  }

  /** Writes markup known to be safe. */
  raw(markup: string): void {
    this.left -= markup.length
    if (this.left < 0) throw new PageTooComplex('The page repeats its elements too often')
    this.page.add(markup)
    this.afterPre = false
  }

  doctype(mode: string): void {
    const doctype = doctypes[mode]
    if (doctype !== undefined) this.raw(doctype)
  }

  start(name: string, attributes: readonly Attribute[]): void {
    let tag = `<${name}`
    for (const { name, value } of attributes) tag += ` ${name}="${escapeValue(value)}"`
    this.raw(`${tag}>`)
    this.afterPre = name === 'pre'
    if (name === 'body') this.hasBody = true
  }

  end(name: string): void {
    // A frameset page has no body, and its frameset is removed. Browsers would add an empty body, so write it here.
    if (name === 'html' && !this.hasBody) this.raw('<body></body>')
    this.raw(`</${name}>`)
  }

  /**
   * Writes text.
   *
   * @param onlySpace write only white space, because a parser would move other text elsewhere
   */
  text(text: string, onlySpace: boolean): void {
    if (onlySpace && /[^\t\n\f\r ]/.test(text)) return
    this.raw((this.afterPre && text.startsWith('\n') ? '\n' : '') + escapeText(text))
  }

  finish(): string {
    return this.page.toString()
  }
}
