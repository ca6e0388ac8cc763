import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { fonts, palette } from '../shared/palette.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The colors of the dashboard, within the first paint only. */
const colors = () => {
  const names = ['background', 'text', 'line'] as const
  const pairs = names.map(name => `--${name}: light-dark(${palette[name].join(', ')});`)
  return `.first-paint { ${pairs.join(' ')} --font: ${fonts.text}; }\n`
}

const css = () =>
  colors() +
  read('first-paint.css')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')

const logo = () =>
  read('../http/page/logo.svg')
    .replace('<svg ', '<svg width="28" height="28" aria-hidden="true" ')
    .replace(/<title>.*<\/title>/, '')

/**
 * Vite plugin that lets the document paint without another response: it inlines the style and the logo of the first
 * paint, and turns the stylesheets into preloads, which don't block rendering. `applyStylesheets` applies them.
 */
export const firstPaint = (): Plugin => ({
  name: 'first-paint',
  transformIndexHtml: {
    // After Vite has added the stylesheets, and before it adds the nonces.
    order: 'post',
    handler: html => ({
      html: html
        .replace('<!-- logo -->', logo)
        .replaceAll('<link rel="stylesheet"', '<link rel="preload" as="style"'),
      tags: [{ tag: 'style', children: css(), injectTo: 'head' }],
    }),
  },
})
