import { typeface } from '../../../routers/api/palette.ts'
import { COLOR_SCHEME_CSS } from './color-scheme.ts'
import { baseCss, readCss, type Style, styleFrom } from './style.ts'
import { fontFaces } from './typeface.ts'

const HEADER_CSS = new URL('header.css', import.meta.url)

/** Returns the style sheet of a page of the main site. @param base the base path of the main site */
export type MainSiteStyle = (base: string) => Style

/** Builds the style sheet of pages of the main site, with the typeface, the header and the given files. */
export const mainSiteStyle = (...files: URL[]): MainSiteStyle => {
  const css = `${baseCss}${COLOR_SCHEME_CSS}:root{--font:${typeface.stack}}\n${[HEADER_CSS, ...files].map(readCss).join('')}`
  const styles = new Map<string, Style>()
  return path => {
    const known = styles.get(path) ?? styleFrom(fontFaces(path) + css)
    styles.set(path, known)
    return known
  }
}
