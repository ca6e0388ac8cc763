import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { typeface } from '../../../routers/api/palette.ts'

/** The path of the font files, below the base path of the main site. */
export const FONT_PATH = '/_fonts'

const { resolve } = createRequire(import.meta.url)
const read = (path: string) => readFileSync(resolve(`@fontsource-variable/figtree/${path}`))

/** The license of the typeface. It is served beside the font files. */
export const fontLicense = read('LICENSE')

const { latin, 'latin-ext': latinExt } = JSON.parse(read('unicode.json').toString()) as Record<string, string>

const fontFile = (subset: string, range: string | undefined) => {
  const bytes = read(`files/figtree-${subset}-wght-normal.woff2`)
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return { name: `figtree-${subset}-${digest}.woff2`, bytes, range }
}

/** The files of the typeface. Browsers load the second one only for text that needs it. */
export const fontFiles = [fontFile('latin', latin), fontFile('latin-ext', latinExt)] as const

const face = (descriptors: Record<string, string | undefined>) =>
  `@font-face{${Object.entries(descriptors)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`

/**
 * The fallback is a system font, scaled to the metrics of the typeface, so that the layout does not shift when the
 * typeface has loaded. Arial, Liberation Sans, Helvetica and Roboto have the same average width.
 */
const FALLBACK = face({
  'font-family': typeface.fallback,
  src: ['Arial', 'Liberation Sans', 'Helvetica', 'Roboto'].map(name => `local("${name}")`).join(','),
  'size-adjust': '100.7%',
  'ascent-override': '94.3%',
  'descent-override': '24.8%',
  'line-gap-override': '0%',
})

/**
 * Declares the typeface.
 *
 * @param base the base path of the main site, or a relative path to it
 */
export const fontFaces = (base: string): string =>
  fontFiles
    .map(({ name, range }) =>
      face({
        'font-family': typeface.name,
        'font-weight': '300 900',
        'font-display': 'swap',
        src: `url("${base}${FONT_PATH}/${name}")`,
        'unicode-range': range,
      }),
    )
    .join('') + FALLBACK

/** The URL of the file that every page needs. @param base as for `fontFaces` */
export const mainFontUrl = (base: string): string => `${base}${FONT_PATH}/${fontFiles[0].name}`
