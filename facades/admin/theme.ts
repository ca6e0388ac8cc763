import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { fonts, palette, typeface } from '../shared/dashboard.ts'

/** Shades of the icon's green, from lightest to darkest. */
const leaf: MantineColorsTuple = [
  '#edf8f1',
  '#d9eee1',
  '#b3dcc3',
  '#8acaa3',
  '#62b685',
  '#3f9f69',
  '#2a8653',
  '#1f6f43',
  '#175a36',
  '#0f4629',
]

/** Mantine's red, darkened in the shades that carry white text. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#f76c6c',
  '#e54848',
  '#c92a2a',
  '#b02525',
  '#931d1d',
]

/** Mantine's grays of the light color scheme, with the tint of the palette. */
const gray: MantineColorsTuple = [
  '#f7f9f6',
  palette.sunken[0],
  '#e8ece7',
  palette.line[0],
  '#cdd3cd',
  '#adb5ae',
  '#868e88',
  '#495049',
  '#343a35',
  '#212522',
]

/** Mantine's grays of the dark color scheme, with the tint of the palette. */
const dark: MantineColorsTuple = [
  '#c8cec9',
  '#b6bdb7',
  '#8a928c',
  '#69716b',
  // Borders of fields and checkboxes, which must be easier to see than other lines.
  '#434b45',
  '#2a302b',
  palette.surface[1],
  palette.background[1],
  '#121512',
  '#0c0f0d',
]

export const theme = createTheme({
  primaryColor: 'leaf',
  // White text on this shade has a contrast above 4.5 in both color schemes.
  primaryShade: 7,
  colors: { leaf, red, gray, dark },
  fontFamily: typeface.stack,
  fontFamilyMonospace: fonts.mono,
  headings: { fontWeight: '650', textWrap: 'balance' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A `header` element would be a second banner landmark.
    ModalHeader: { defaultProps: { component: 'div' } },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, transitionProps: { duration: 140 } },
      styles: { title: { fontWeight: 650 } },
    },
    // Do not use a portal, so that the menu is inside a landmark and screen readers read it right after its button.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      // Mantine's gray for text below a title has too little contrast.
      styles: { description: { color: 'var(--mantine-color-text)' } },
    },
    Alert: { defaultProps: { radius: 'md' } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
})

/**
 * Replaces some of Mantine's colors: grays and reds whose text contrast is below the 4.5 that WCAG requires, and tints
 * of the dark color scheme that are glaring or darker than their background.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...colors(0), '--mantine-color-placeholder': '#68716b' },
  dark: {
    ...colors(1),
    '--mantine-color-placeholder': '#949c96',
    '--mantine-color-leaf-light': palette.tint[1],
    '--mantine-color-leaf-light-hover': '#293d32',
    '--mantine-color-red-light': palette['danger-tint'][1],
    '--mantine-color-yellow-light': '#33291a',
    '--mantine-color-gray-light': 'var(--mantine-color-dark-5)',
    '--mantine-color-gray-light-hover': 'var(--mantine-color-dark-4)',
  },
})

/** The palette as variables, and Mantine's variables that follow it. @param scheme 0 for light, 1 for dark */
const colors = (scheme: 0 | 1) => ({
  ...Object.fromEntries(Object.entries(palette).map(([name, shades]) => [`--${name}`, shades[scheme]])),
  '--mantine-color-text': palette.text[scheme],
  '--mantine-color-dimmed': palette.muted[scheme],
  '--mantine-color-error': palette.danger[scheme],
  '--mantine-color-body': palette.background[scheme],
  '--mantine-color-anchor': palette.link[scheme],
  '--mantine-color-yellow-light-color': palette.warning[scheme],
})
