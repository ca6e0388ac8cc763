import { valueAt } from '../data/json.ts'

/** A color of a look, in light and dark appearance. */
export interface LookColor {
  name: string
  light: string
  /** Undefined if the look has no dark color of this name. */
  dark: string | undefined
}

/** What a record says about the look of a site. Everything but the colors is optional. */
export interface Look {
  colors: LookColor[]
  /** The name of the font file for headings; empty for the fonts of the reader's system. */
  headings: string | undefined
  /** The CSS font families of all other text. */
  text: string | undefined
  /** The name of a picture; empty for none. */
  logo: string | undefined
  measures: Measure[]
}

/** A number of a look that has a slider. */
export interface Measure {
  name: keyof typeof MEASURES
  value: number
}

/** The numbers that have a slider. */
export const MEASURES = {
  corners: { label: 'Rounded corners', unit: 'px', min: 0, max: 40, step: 1 },
  width: { label: 'Width of the content', unit: 'rem', min: 24, max: 120, step: 1 },
  spacing: { label: 'Spacing', unit: '×', min: 0.5, max: 2, step: 0.05 },
} as const

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i

/** Whether a text is a color such as `#a63c1a`. */
export const isColor = (value: unknown): value is string => typeof value === 'string' && HEX.test(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * Reads the value of a record as the look of a site: an object whose `colors` are hexadecimal.
 *
 * @param json the value as JSON
 * @returns null if the value is no look
 */
export const readLook = (json: string): Look | null => {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return null
  }
  const colors = isObject(value) ? value.colors : undefined
  if (!isObject(colors)) return null
  const entries = Object.entries(colors)
  if (entries.length === 0 || !entries.every(([, color]) => isColor(color))) return null
  const names = Object.keys(MEASURES) as (keyof typeof MEASURES)[]
  return {
    colors: entries.map(([name, light]) => {
      const dark = valueAt(value, ['dark_colors', name])
      return { name, light: light as string, dark: isColor(dark) ? dark : undefined }
    }),
    headings: textOrNothing(valueAt(value, ['fonts', 'headings'])),
    text: textOrNothing(valueAt(value, ['fonts', 'text'])),
    logo: textOrNothing(valueAt(value, ['logo'])),
    measures: names.flatMap(name => {
      const number = valueAt(value, [name])
      return typeof number === 'number' ? [{ name, value: number }] : []
    }),
  }
}

/** The least contrast at which text is easy to read (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

const luminance = (color: string): number => {
  const digits = (color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color).slice(1)
  const [red, green, blue] = [0, 2, 4].map(at => linear(Number.parseInt(digits.slice(at, at + 2), 16) / 255))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export const contrastOf = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

/** Names of colors that text on the background has. */
const ON_BACKGROUND: ReadonlySet<string> = new Set(['text', 'soft', 'muted', 'accent', 'link'])

/** Returns the name of the color on which text has the color with this name: `on_block` is on `block`. */
export const backgroundOf = (name: string): string | null =>
  ON_BACKGROUND.has(name) ? 'background' : name.startsWith('on_') ? name.slice('on_'.length) : null

/** Text of a look that is hard to read. */
export interface Faint {
  name: string
  on: string
  appearance: 'light' | 'dark'
  contrast: number
}

/** Returns the colors of a look that are hard to read on their background. */
export const faintColors = ({ colors }: Look): Faint[] =>
  colors.flatMap(color => {
    const on = backgroundOf(color.name)
    const background = colors.find(({ name }) => name === on)
    if (on === null || !background) return []
    return (['light', 'dark'] as const).flatMap(appearance => {
      const [text, behind] = [color[appearance], background[appearance]]
      if (text === undefined || behind === undefined) return []
      const contrast = contrastOf(text, behind)
      return contrast < MIN_CONTRAST ? [{ name: color.name, on, appearance, contrast }] : []
    })
  })
