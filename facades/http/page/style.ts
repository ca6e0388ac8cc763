import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, Markup } from '../../../routers/api/html.ts'
import { paletteCss, typeface } from '../../../routers/api/palette.ts'
import { COLOR_SCHEME_CSS } from './color-scheme.ts'
import { fontFaces } from './typeface.ts'

/** A page's style sheet, written into the page itself. */
export interface Style {
  element: Markup
  /** The source expression that allows this style sheet in a `style-src` policy. */
  source: string
}

const read = (file: URL) => readFileSync(file, 'utf8')
const HEADER_CSS = new URL('header.css', import.meta.url)
const base = paletteCss + read(new URL('base.css', import.meta.url))

const styleFrom = (css: string): Style => ({
  element: html`<style>${new Markup(css)}</style>`,
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
})

/** Builds a style sheet from the palette, the rules that all pages share, and the given files. */
export const styleOf = (...files: URL[]): Style => styleFrom(base + files.map(read).join(''))

/** Returns the style sheet of a page of the main site. @param base the base path of the main site */
export type MainSiteStyle = (base: string) => Style

/** Builds the style sheet of pages of the main site, with the typeface, the header and the given files. */
export const mainSiteStyle = (...files: URL[]): MainSiteStyle => {
  const css = `${base}${COLOR_SCHEME_CSS}:root{--font:${typeface.stack}}\n${[HEADER_CSS, ...files].map(read).join('')}`
  const styles = new Map<string, Style>()
  return path => {
    const known = styles.get(path) ?? styleFrom(fontFaces(path) + css)
    styles.set(path, known)
    return known
  }
}
