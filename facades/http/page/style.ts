import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, Markup } from '../../../routers/api/html.ts'
import { paletteCss } from '../../../routers/api/palette.ts'

/** A page's style sheet, written into the page itself. */
export interface Style {
  element: Markup
  /** The source expression that allows this style sheet in a `style-src` policy. */
  source: string
}

/** Reads a style sheet. */
export const readCss = (file: URL) => readFileSync(file, 'utf8')

/** The palette, and the rules that all pages share. */
export const baseCss = paletteCss + readCss(new URL('base.css', import.meta.url))

/** Returns CSS as the style sheet of a page. */
export const styleFrom = (css: string): Style => ({
  element: html`<style>${new Markup(css)}</style>`,
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
})

/** Builds a style sheet from the palette, the rules that all pages share, and the given files. */
export const styleOf = (...files: URL[]): Style => styleFrom(baseCss + files.map(readCss).join(''))
