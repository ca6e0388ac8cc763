import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { fontFaces, mainFontUrl } from '../http/page/typeface.ts'
import { palette, typeface } from '../shared/dashboard.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Returns a CSS rule that sets the colors and the font of the first paint. */
const colors = () => {
  const names = ['background', 'text', 'line'] as const
  const pairs = names.map(name => `--${name}: light-dark(${palette[name].join(', ')});`)
  return `.first-paint { ${pairs.join(' ')} --font: ${typeface.stack}; }\n`
}

/** The main site, relative to the `base` element of the document. */
const MAIN_SITE = '..'

const preload = () =>
  `<link rel="preload" href="${mainFontUrl(MAIN_SITE)}" as="font" type="font/woff2" crossorigin />`

const css = () =>
  fontFaces(MAIN_SITE) +
  colors() +
  read('first-paint.css')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')

const logo = () =>
  read('../http/page/logo.svg')
    .replace('<svg ', '<svg width="28" height="28" aria-hidden="true" ')
    .replace(/<title>.*<\/title>/, '')

/**
 * Vite plugin that lets the document paint without waiting for another response: it inlines the style and the logo of
 * the first paint, declares the typeface, and turns the stylesheets into preloads, which don't block rendering.
 * `applyStylesheets` applies them.
 */
export const firstPaint = (): Plugin => ({
  name: 'first-paint',
  transformIndexHtml: {
    // After Vite has added the stylesheets, and before it adds the nonces.
    order: 'post',
    handler: html =>
      html
        // Insert this style before the stylesheets, so that this style declares the layers first.
        .replace('<!-- style -->', () => `${preload()}\n    <style>${css()}</style>`)
        .replace('<!-- logo -->', logo)
        .replaceAll('<link rel="stylesheet"', '<link rel="preload" as="style"'),
  },
})
