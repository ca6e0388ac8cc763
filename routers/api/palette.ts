/**
 * Colors, each for light and dark mode. The dashboard and the public pages use these colors. The documents that the
 * service builds for sites and posts use these colors too. Text colors reach a contrast of 4.5 on `background`,
 * `surface` and `sunken`.
 */
export const palette = {
  background: ['#fcfdfb', '#161917'],
  /** Cards and forms. */
  surface: ['#ffffff', '#1d211e'],
  /** Code and other recessed areas. */
  sunken: ['#f3f5f1', '#1f2421'],
  text: ['#1c211d', '#e3e8e4'],
  muted: ['#555e58', '#a9b1ab'],
  /** Dividers. */
  line: ['#dde1dc', '#353c37'],
  /** Borders of controls. */
  edge: ['#848c86', '#7d8780'],
  link: ['#1a6139', '#8fd6ab'],
  /** Primary buttons and the logo. */
  fill: ['#1f6f43', '#1f6f43'],
  'on-fill': ['#ffffff', '#ffffff'],
  /** Background of hovered and selected items. */
  tint: ['#edf8f1', '#1f2f26'],
  danger: ['#b02525', '#ff9c9c'],
  'danger-tint': ['#fdf1ee', '#33211d'],
  warning: ['#754600', '#f3c77a'],
  info: ['#1f5aa8', '#8bbcf5'],
  value: ['#6b2fa0', '#c6a4f0'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export const fonts = {
  text: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  mono: 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace',
}

const name = 'Figtree'
const fallback = 'Figtree fallback'

/**
 * The typeface of the main site and the dashboard. Posts and the sites of spaces use the system's fonts.
 */
export const typeface = {
  name: `"${name}"`,
  /** A system font with the same metrics, shown until the typeface has loaded. */
  fallback: `"${fallback}"`,
  /** The list for `font-family`. */
  stack: `"${name}", "${fallback}", ${fonts.text}`,
} as const

/** The palette and the fonts as CSS custom properties: `var(--muted)`, `var(--mono)`. */
export const paletteCss = `:root {
  color-scheme: light dark;
${Object.entries(palette)
  .map(([name, [light, dark]]) => `  --${name}: light-dark(${light}, ${dark});`)
  .join('\n')}
  --font: ${fonts.text};
  --mono: ${fonts.mono};
}
`

/**
 * The cookie with the color scheme that the person chose in the dashboard. The service reads the cookie, so that the
 * first paint of the dashboard, and every page of the main site, already uses that scheme. There is no cookie while the
 * dashboard follows the system.
 */
export const COLOR_SCHEME_COOKIE = 'color-scheme'

/** The values of the color scheme cookie. */
export const COLOR_SCHEMES = ['light', 'dark'] as const
