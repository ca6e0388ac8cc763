import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, Markup } from '../../../routers/core/html.ts'
import { paletteCss } from '../../../routers/core/palette.ts'

/** A page's style sheet, written into the page itself. */
export interface Style {
  element: Markup
  /** The source that allows this style sheet in a `style-src` policy. */
  source: string
}

const read = (file: URL) => readFileSync(file, 'utf8')
const base = paletteCss + read(new URL('base.css', import.meta.url))

/** Builds a style sheet from the palette, the rules that all pages share, and the given files. */
export const styleOf = (...files: URL[]): Style => {
  const css = base + files.map(read).join('')
  return {
    element: html`<style>${new Markup(css)}</style>`,
    source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  }
}

/** The header of the main site's pages. */
export const HEADER_CSS = new URL('header.css', import.meta.url)
